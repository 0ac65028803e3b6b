package idem

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestProblemIsRFC9457WithThePolicysWords(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	rec.Header().Set("X-Outer", "kept")
	rec.Header().Set("Content-Length", "12345")
	writeProblem(rec, inProgress())
	want := `{"type":"about:blank","title":"Conflict","status":409,"code":"idempotency_in_progress",` +
		`"detail":"a request with this idempotency key is still running",` +
		`"message":"a request with this idempotency key is still running"}` + "\n"
	if rec.Code != 409 || rec.Body.String() != want {
		t.Errorf("got %d %s, want %s", rec.Code, rec.Body, want)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/problem+json", "Cache-Control": "no-store", "Retry-After": "1",
		"X-Outer": "kept", "Content-Length": "217",
	} {
		if got := rec.Header().Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
}

func TestProblemStatusAndCode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		p          *Problem
		status     int
		code       string
		retryAfter int
	}{
		{invalid("x"), 400, "validation_error", 0},
		{forbidden("x"), 403, "forbidden", 0},
		{unknownRoute(), 404, "idempotency_unknown_route", 0},
		{conflict(0), 409, "idempotency_conflict", 0},
		{conflict(422), 422, "idempotency_conflict", 0},
		{inProgress(), 409, "idempotency_in_progress", 1},
		{outcomeUnknown(), 409, "idempotency_outcome_unknown", 0},
		{responseUnavailable(), 409, "idempotency_response_unavailable", 0},
		{payloadTooLarge(), 413, "payload_too_large", 0},
		{unsupportedMedia("x"), 415, "unsupported_media_type", 0},
		{internalError("x"), 500, "internal_error", 0},
		{scopeMissing("x"), 500, "idempotency_scope_missing", 0},
		{unavailable(), 503, "idempotency_unavailable", 5},
	} {
		if tt.p.Status != tt.status || tt.p.Code != tt.code || tt.p.RetryAfter != tt.retryAfter || tt.p.Error() == "" {
			t.Errorf("got %+v, want %d %s, Retry-After %d", *tt.p, tt.status, tt.code, tt.retryAfter)
		}
		if h := tt.p.Response().Header; h.Get("Cache-Control") != "no-store" || (h.Get("Retry-After") != "") != (tt.retryAfter > 0) {
			t.Errorf("%s: header %v", tt.code, h)
		}
	}
}

func TestProblemTextIsWhatItIsWhateverBytesTheDetailHas(t *testing.T) {
	t.Parallel()
	r := invalid(`query parameter "<a&b>": ` + "\xff\n").Response()
	want := `{"type":"about:blank","title":"Bad Request","status":400,"code":"validation_error",` +
		`"detail":"query parameter \"<a&b>\": \ufffd\n","message":"query parameter \"<a&b>\": \ufffd\n"}` + "\n"
	if string(r.Body) != want {
		t.Errorf("got  %s\nwant %s", r.Body, want)
	}
	if r.Status != http.StatusBadRequest {
		t.Errorf("status %d", r.Status)
	}
}
