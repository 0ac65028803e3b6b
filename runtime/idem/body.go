package idem

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"os"
)

// spoolAbove is how many bytes of a body are kept in memory that is neither JSON nor a form of fields: more go to a
// temporary file.
const spoolAbove = 1 << 20

// content is a request's body. It is in memory or, where it is large, in a temporary file, which is gone
// when the request is answered.
type content struct {
	data []byte
	file *os.File
	size int64
}

func inMemory(data []byte) content { return content{data: data, size: int64(len(data))} }

// open returns a reader of the whole body. Several may be open at once.
func (c content) open() io.ReadCloser {
	if c.file != nil {
		return io.NopCloser(io.NewSectionReader(c.file, 0, c.size))
	}
	return io.NopCloser(bytes.NewReader(c.data))
}

// bytes returns the whole body, which is not to be changed.
func (c content) bytes() ([]byte, error) {
	if c.file == nil {
		return c.data, nil
	}
	return io.ReadAll(c.open())
}

func (c content) digest() (sum [sha256.Size]byte, err error) {
	if c.file == nil {
		return sha256.Sum256(c.data), nil
	}
	h := sha256.New()
	_, err = io.Copy(h, c.open())
	h.Sum(sum[:0])
	return sum, err
}

func (c content) close() {
	if c.file != nil {
		_ = c.file.Close()
		_ = os.Remove(c.file.Name()) // gone already, but for systems that keep what is open
	}
}

// readBody reads the whole body: what is not read cannot be compared. More than memory bytes go to a file.
func readBody(w http.ResponseWriter, r *http.Request, most, memory int64) (content, *Problem) {
	if len(r.PostForm) > 0 || r.MultipartForm != nil { // without a form to read, ParseForm leaves the body alone
		return content{}, bodyWasRead()
	}
	if r.Body == nil || r.Body == http.NoBody {
		return content{}, nil
	}
	if r.ContentLength > most {
		return content{}, payloadTooLarge()
	}
	var buf bytes.Buffer
	if r.ContentLength > 0 {
		buf.Grow(int(min(r.ContentLength, memory, spoolAbove)) + bytes.MinRead) // more has to be sent, not announced
	}
	body := http.MaxBytesReader(w, r.Body, most)
	_, err := buf.ReadFrom(io.LimitReader(body, memory))
	switch {
	case err != nil:
		return content{}, unreadable(err)
	case int64(buf.Len()) == memory:
		return spool(buf.Bytes(), body)
	case buf.Len() == 0 && r.ContentLength > 0:
		return content{}, bodyWasRead()
	}
	return inMemory(buf.Bytes()), nil
}

// spool puts what was read, and what is left, into a file.
func spool(read []byte, rest io.Reader) (content, *Problem) {
	file, err := os.CreateTemp("", "idem-body-*")
	if err != nil {
		return content{}, internalError("the request's body could not be kept: look at the folder for temporary files")
	}
	_ = os.Remove(file.Name()) // where the system allows it, a crash leaves nothing behind
	c := content{file: file}
	var written *writeError
	c.size, err = io.Copy(marked{file}, io.MultiReader(bytes.NewReader(read), rest))
	if err == nil {
		return c, nil
	}
	c.close()
	if errors.As(err, &written) {
		return content{}, internalError("the request's body could not be kept: look at the folder for temporary files")
	}
	return content{}, unreadable(err)
}

// marked tells errors of writing from those of reading.
type marked struct{ io.Writer }

type writeError struct{ error }

func (m marked) Write(b []byte) (int, error) {
	n, err := m.Writer.Write(b)
	if err != nil {
		err = &writeError{err}
	}
	return n, err
}

// unreadable is the answer to an error of reading a body.
func unreadable(err error) *Problem {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return payloadTooLarge()
	}
	return invalid("request body could not be read")
}

func bodyWasRead() *Problem {
	return internalError("the request's body was read before its guard: place that inside")
}

// removeFiles removes what a handler's ParseMultipartForm has left. The server does that for its own request, and does
// not know of a copy.
func removeFiles(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll()
	}
}

// withBody returns r with its body yet to be read.
func withBody(r *http.Request, body content) *http.Request {
	r = r.WithContext(r.Context())
	r.Body, r.ContentLength = http.NoBody, body.size
	if body.size > 0 {
		r.Body = body.open()
	}
	return r
}
