package idem

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// The codes of a [Problem]: what a client's program switches on.
const (
	CodeValidation          = "validation_error"                 // 400: the key, or the request, is malformed
	CodeForbidden           = "forbidden"                        // 403: Authorize refused
	CodeUnknownRoute        = "idempotency_unknown_route"        // 404: no operation of the document
	CodeMethodNotAllowed    = "method_not_allowed"               // 405: a single handler that is registered for every method
	CodeConflict            = "idempotency_conflict"             // 409: the key with another payload
	CodeInProgress          = "idempotency_in_progress"          // 409: the first request is still running
	CodeOutcomeUnknown      = "idempotency_outcome_unknown"      // 409: it may have run or not
	CodeResponseUnavailable = "idempotency_response_unavailable" // 409: done, but its response was not storable
	CodePayloadTooLarge     = "payload_too_large"                // 413: more than the operation's MaxBody
	CodeUnsupportedMedia    = "unsupported_media_type"           // 415: a body that the document does not declare
	CodeInternal            = "internal_error"                   // 500: a fault of the service
	CodeScopeMissing        = "idempotency_scope_missing"        // 500: a wiring fault: nobody said who acts
	CodeUnavailable         = "idempotency_unavailable"          // 503: the store cannot be asked
)

// retryInProgress is the Retry-After of an attempt that is still running: ask again soon, since the
// lease says when it is lost, not when it ends.
const retryInProgress = 1

// retryUnavailable is the Retry-After while the store is away.
const retryUnavailable = 5

// Problem is a refusal: what the wrapper answers in place of the handler. It is an error, and it is
// written as RFC 9457 application/problem+json with the members type, title, status, code, detail and
// message. Its text never holds the idempotency key.
type Problem struct {
	Status     int
	Code       string // one of the codes above
	Detail     string // for a person; the policy's words where it has some
	RetryAfter int    // seconds; 0: no Retry-After
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// asProblem is the problem that an error is, and otherwise the one that is said in its place.
func asProblem(err error, otherwise *Problem) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	return otherwise
}

// Response returns the problem as a response, ready to be sent. It is not to be cached.
func (p *Problem) Response() *Response {
	h := http.Header{
		"Content-Type":  {"application/problem+json"},
		"Cache-Control": {"no-store"},
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	return &Response{Status: p.Status, Header: h, Body: p.body()}
}

// body returns the document of RFC 9457, section 3. The type is about:blank, so the title is the
// status's own; code says which problem it is. Detail is repeated as message for clients of the
// policy's error shape.
func (p *Problem) body() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Strings and an int: encoding cannot go wrong.
	_ = e.Encode(struct {
		Type    string `json:"type"`
		Title   string `json:"title"`
		Status  int    `json:"status"`
		Code    string `json:"code"`
		Detail  string `json:"detail"`
		Message string `json:"message"`
	}{"about:blank", http.StatusText(p.Status), p.Status, p.Code, p.Detail, p.Detail})
	return b.Bytes()
}

// writeProblem sends p. Headers that outer layers set stay, but for those that describe a body.
func writeProblem(w http.ResponseWriter, p *Problem) {
	writeResponse(w, *p.Response())
}

func invalid(detail string) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: CodeValidation, Detail: detail}
}

func forbidden(detail string) *Problem {
	return &Problem{Status: http.StatusForbidden, Code: CodeForbidden, Detail: detail}
}

func methodNotAllowed(allowed string) *Problem {
	return &Problem{Status: http.StatusMethodNotAllowed, Code: CodeMethodNotAllowed, Detail: "the operation's method is " + allowed}
}

func unknownRoute() *Problem {
	return &Problem{Status: http.StatusNotFound, Code: CodeUnknownRoute,
		Detail: "no operation of the API has this method and path"}
}

// conflict answers with the operation's ConflictStatus; 0 is the policy's 409.
func conflict(status int) *Problem {
	if status == 0 {
		status = http.StatusConflict
	}
	return &Problem{Status: status, Code: CodeConflict,
		Detail: "idempotency key was used with a different payload"}
}

func inProgress() *Problem {
	return &Problem{Status: http.StatusConflict, Code: CodeInProgress, RetryAfter: retryInProgress,
		Detail: "a request with this idempotency key is still running"}
}

func outcomeUnknown() *Problem {
	return &Problem{Status: http.StatusConflict, Code: CodeOutcomeUnknown,
		Detail: "an earlier request with this idempotency key ended without a result: it may have run or not"}
}

func responseUnavailable() *Problem {
	return &Problem{Status: http.StatusConflict, Code: CodeResponseUnavailable,
		Detail: "the request with this idempotency key is done, but its response was not kept"}
}

func payloadTooLarge() *Problem {
	return &Problem{Status: http.StatusRequestEntityTooLarge, Code: CodePayloadTooLarge,
		Detail: "request body too large"}
}

func unsupportedMedia(detail string) *Problem {
	return &Problem{Status: http.StatusUnsupportedMediaType, Code: CodeUnsupportedMedia, Detail: detail}
}

func internalError(detail string) *Problem {
	return &Problem{Status: http.StatusInternalServerError, Code: CodeInternal, Detail: detail}
}

func scopeMissing(detail string) *Problem {
	return &Problem{Status: http.StatusInternalServerError, Code: CodeScopeMissing, Detail: detail}
}

func unavailable() *Problem {
	return &Problem{Status: http.StatusServiceUnavailable, Code: CodeUnavailable, RetryAfter: retryUnavailable,
		Detail: "idempotency records are unavailable"}
}
