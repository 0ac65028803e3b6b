package idem_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

type paperForm struct {
	Kind  string     `json:"kind"`
	Paper idem.Part  `json:"paper"`
	Extra idem.Parts `json:"-"`
}

type paperPayload struct {
	Query idem.Query                  `json:"query,omitzero"`
	Type  string                      `json:"type,omitzero"`
	Body  canon.Optional[idem.Opaque] `json:"body,omitzero"`
	Parts canon.Optional[paperForm]   `json:"parts,omitzero"`
}

// paperRequest is a form of a text and a file, with the key k.
func paperRequest(k, boundary, paper string) *http.Request {
	body := "--B\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nscan\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"paper\"; filename=\"p\"\r\nContent-Type: application/pdf\r\n\r\n" + paper + "\r\n--B--\r\n"
	r := httptest.NewRequest("POST", "/papers", strings.NewReader(strings.ReplaceAll(body, "--B", "--"+boundary)))
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	r.Header.Set("Idempotency-Key", k)
	return r
}

// What a handler, or a check before it, has ParseMultipartForm write is gone when the request is answered: the server
// removes it for its own request alone. The check leaves the handler a body that is yet to be read.
func TestFilesOfAParsedFormAreRemoved(t *testing.T) { // not parallel: it sets TMPDIR
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	b := newBench(t)
	files := 0
	parse := func(r *http.Request) {
		if err := r.ParseMultipartForm(1); err != nil {
			t.Error(err)
		}
		left, _ := os.ReadDir(dir)
		files += len(left)
	}
	b.svc.Authorize = func(_ context.Context, _ idem.Endpoint, r *http.Request) error {
		parse(r)
		return nil
	}
	guard := idem.WrapOne(b.svc, &idem.Operation{Endpoint: "papers.add", Method: "POST", Path: "/papers",
		Bodies: []idem.Body{{MediaType: "multipart/form-data", Form: idem.Multipart}}}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b.runs.Add(1)
		if r.MultipartForm != nil {
			t.Error("the form is parsed before the handler has asked")
		}
		parse(r)
	}))
	for range 2 {
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, paperRequest("k", "b", strings.Repeat("x", 12<<20>>4)))
		if w.Code != 200 {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d files are left, %v", len(left), err)
		}
	}
	if files == 0 {
		t.Error("nothing was written: the test shows nothing")
	}
	b.wantRuns(1)
}

// A large upload is compared by what it holds, read by the handler from the file that it went to, and leaves none behind.
func TestALargeBodyGoesToAFile(t *testing.T) { // not parallel: it sets TMPDIR
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	b := newBench(t)
	op := &idem.Operation{Endpoint: "papers.add", Method: "POST", Path: "/papers", Policy: idem.Policy{MaxBody: 4 << 20},
		Bodies: []idem.Body{{MediaType: "multipart/form-data", Form: idem.Multipart}, {MediaType: "application/pdf", Form: idem.Digest}}}
	other := *op
	other.Endpoint = "papers.typed"
	large := strings.Repeat("0123456789abcdef", 3<<16) // 3 MiB

	raw := idem.WrapOne(b.svc, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.runs.Add(1)
		if r.Header.Get("Content-Type") == "application/pdf" {
			n, _ := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n)
			return
		}
		f, header, err := r.FormFile("paper")
		if err != nil {
			t.Error(err)
			return
		}
		f.Close()
		fmt.Fprint(w, header.Size, r.FormValue("kind"))
		_ = r.MultipartForm.RemoveAll()
	}))
	typed := idem.Handle(b.svc, &other, func(_ context.Context, p paperPayload) (*idem.Response, error) {
		b.runs.Add(1)
		if body, ok := p.Body.Get(); ok {
			return idem.JSON(200, len(body))
		}
		parts, _ := p.Parts.Get()
		text, err := parts.Paper.Bytes()
		if again, _ := parts.Paper.Bytes(); err != nil || string(text) != large || string(again) != large || parts.Paper.Size() != int64(len(large)) {
			t.Errorf("the part has %d bytes, %v", len(text), err)
		}
		return idem.JSON(200, fmt.Sprint(len(text), parts.Kind))
	})
	serve := func(what string, h http.Handler, r *http.Request, status int, body string, replayed bool) {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status || !strings.Contains(w.Body.String(), body) || (w.Header().Get("Idempotent-Replayed") == "true") != replayed {
			t.Errorf("%s: got %d %s", what, w.Code, w.Body)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %d files are left, %v", what, len(left), err)
		}
	}
	for name, h := range map[string]http.Handler{"raw": raw, "typed": typed} {
		serve(name+", first", h, paperRequest(name, "one", large), 200, "3145728", false)
		serve(name+", another boundary", h, paperRequest(name, "two", large), 200, "3145728", true)
		serve(name+", another file", h, paperRequest(name, "one", large[1:]+"g"), 409, "idempotency_conflict", false)
		serve(name+", too large", h, paperRequest(name, "one", large+large), 413, "payload_too_large", false)
		pdf := httptest.NewRequest("POST", "/papers", strings.NewReader(large))
		pdf.Header.Set("Content-Type", "application/pdf")
		pdf.Header.Set("Idempotency-Key", name+" pdf")
		serve(name+", one file", h, pdf, 200, "3145728", false)
	}
	b.wantRuns(4)
}

// What is refused for its type is not read first.
func TestABodyOfAnUndeclaredTypeIsNotRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := &idem.Operation{Endpoint: "papers.add", Method: "POST", Path: "/papers", Bodies: []idem.Body{{MediaType: "application/pdf", Form: idem.Digest}}}
	guard := idem.WrapOne(b.svc, op, http.NotFoundHandler())
	for contentType, want := range map[string]int64{"text/csv": 0, "application/pdf": 1000} {
		body := &counted{r: strings.NewReader(strings.Repeat("x", 1000))}
		r := httptest.NewRequest("POST", "/papers", body)
		r.ContentLength = 1000
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Idempotency-Key", contentType)
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		if body.n != want || (w.Code == http.StatusUnsupportedMediaType) != (want == 0) {
			t.Errorf("%s: %d, and %d bytes were read", contentType, w.Code, body.n)
		}
	}
}

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
