package idem

import (
	"bytes"
	"crypto/sha256"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"unicode/utf8"
)

// Parts are the parts of a multipart body by name, in the order they were sent. Those without a name have the
// empty one.
type Parts map[string][]Part

// Part is one part of a multipart body: a file, or a text that is more than a field's. It is compared by its
// file name, media type, other headers and the SHA-256 of what it holds. Where it was sent by a client, what it holds
// can be read until the handler returns.
type Part struct {
	FileName  string // as sent; empty: none
	MediaType string // in lower case, with its parameters but for a charset of utf-8 or us-ascii; empty: none
	Header    Values // the part's other headers, in canonical spelling

	data []byte
	left *leftPart // where it is in a file instead
}

// leftPart is what is known of a part that is not in memory.
type leftPart struct {
	size int64
	sum  [sha256.Size]byte
	open func() (io.ReadCloser, error)
}

// NewPart is a part that holds data, which is not to be changed afterwards.
func NewPart(fileName, mediaType string, data []byte) Part {
	return Part{FileName: fileName, MediaType: mediaType, data: data}
}

// TextPart is a part that holds a text alone, as a field of a form does.
func TextPart(text string) Part { return NewPart("", "", []byte(text)) }

// Size is the number of bytes that the part holds.
func (p Part) Size() int64 {
	if p.left != nil {
		return p.left.size
	}
	return int64(len(p.data))
}

func (p Part) digest() [sha256.Size]byte {
	if p.left != nil {
		return p.left.sum
	}
	return sha256.Sum256(p.data)
}

// Open returns a reader of what the part holds. Several may be open at once. Of a large body each starts at the
// body's beginning, so that it takes time to come to a part at its end.
func (p Part) Open() (io.ReadCloser, error) {
	if p.left != nil {
		return p.left.open()
	}
	return io.NopCloser(bytes.NewReader(p.data)), nil
}

// Bytes returns a copy of what the part holds.
func (p Part) Bytes() ([]byte, error) {
	r, err := p.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// plain returns the text of a part that is nothing else: what a form's field is.
func (p Part) plain() (text string, ok bool) {
	if p.left != nil || p.FileName != "" || len(p.Header) > 0 || p.MediaType != "" && p.MediaType != "text/plain" || !utf8.Valid(p.data) {
		return "", false
	}
	return string(p.data), true
}

// Limits on multipart bodies, beside that of the whole. Go's own reader of forms has the same ones.
const (
	maxParts   = 1000
	maxTexts   = 10 << 20 // bytes of all headers, and of all parts without a file name: they are kept in memory
	headerRoom = 100      // bytes that a header takes beside its own
)

// parseParts takes a multipart body apart. Its boundary is no difference, nor is the order of parts of different names.
func parseParts(m medium, body content) (Parts, *Problem) {
	if m.boundary == "" {
		return nil, invalid("content type has no boundary")
	}
	parts := Parts{}
	reader := multipart.NewReader(body.open(), m.boundary)
	texts := int64(maxTexts)
	for n := 0; ; n++ {
		sent, err := reader.NextPart()
		switch {
		case err == io.EOF: // only behind the last boundary: where a body is cut off, the error wraps this one
			return parts, nil
		case err != nil:
			return nil, invalid("body: not a well-formed multipart message")
		case n == maxParts:
			return nil, invalid("body: more than 1000 parts")
		}
		if texts -= headerSize(sent); texts < 0 {
			return nil, payloadTooLarge()
		}
		name, part, problem := newPart(m, sent)
		if problem != nil {
			return nil, problem
		}
		if part.FileName != "" && body.file != nil {
			problem = part.leave(sent, m, body, n)
		} else {
			problem = part.keep(sent, &texts)
		}
		if problem != nil {
			return nil, problem
		}
		parts[name] = append(parts[name], part)
	}
}

func headerSize(sent *multipart.Part) (size int64) {
	for name, lines := range sent.Header {
		for _, line := range lines {
			size += int64(len(name) + len(line) + headerRoom)
		}
	}
	return size
}

// newPart reads the headers of a part. Of a form it has a name (RFC 7578, section 4.2).
func newPart(m medium, sent *multipart.Part) (name string, p Part, _ *Problem) {
	for header, lines := range sent.Header {
		value := strings.Trim(lines[0], " \t")
		switch {
		case len(lines) > 1 && (header == "Content-Disposition" || header == "Content-Type"):
			return "", p, invalid("body: a part has the header " + header + " twice")
		case header == "Content-Disposition" || header == "Content-Length":
		case header == "Content-Type":
			p.MediaType = partType(value)
		case header == "Content-Transfer-Encoding" && len(lines) == 1 && isIdentityEncoding(value): // all that HTTP knows
		default:
			p.addHeader(header, lines)
		}
	}
	isForm := strings.HasPrefix(m.text, "multipart/form-data")
	disposition := sent.Header.Get("Content-Disposition")
	kind, parameters, err := mime.ParseMediaType(disposition)
	name, named := parameters["name"]
	if isForm && (err != nil || kind != "form-data" || !named) {
		return "", p, invalid("body: a part has no Content-Disposition of form-data with a name")
	}
	p.FileName = parameters["filename"]
	delete(parameters, "name")
	delete(parameters, "filename")
	switch {
	case disposition == "":
	case err != nil || hasOtherCharset(disposition): // not all of it was read: it counts as it is
		p.addHeader("Content-Disposition", []string{disposition})
	case kind != "form-data" || !named || len(parameters) > 0:
		p.addHeader("Content-Disposition", []string{mime.FormatMediaType(kind, parameters)})
	}
	return name, p, nil
}

func (p *Part) addHeader(name string, lines []string) {
	if p.Header == nil {
		p.Header = Values{}
	}
	p.Header[name] = lines
}

// hasOtherCharset is true of a header that names the charset of a parameter, as RFC 8187 has it: package mime leaves out those
// that are not in UTF-8.
func hasOtherCharset(header string) bool {
	header = strings.ToLower(header)
	return strings.Count(header, "*=") > strings.Count(header, "*=utf-8'")+strings.Count(header, "*=us-ascii'")
}

// partType is a part's media type: letter case and the charset that is the default are no differences.
func partType(text string) string {
	essence, parameters, err := mime.ParseMediaType(text)
	if err != nil {
		return text
	}
	switch strings.ToLower(parameters["charset"]) {
	case "utf-8", "utf8", "us-ascii": // the last is the first's beginning
		delete(parameters, "charset")
	}
	if formatted := mime.FormatMediaType(essence, parameters); formatted != "" {
		return formatted
	}
	return text
}

// isIdentityEncoding is true of the encodings that leave the bytes as they are (RFC 2045, section 6.2).
func isIdentityEncoding(name string) bool {
	return strings.EqualFold(name, "binary") || strings.EqualFold(name, "8bit") || strings.EqualFold(name, "7bit")
}

// keep reads a part into memory.
func (p *Part) keep(sent io.Reader, texts *int64) *Problem {
	if p.FileName == "" {
		sent = io.LimitReader(sent, *texts+1)
	}
	data, err := io.ReadAll(sent)
	if err != nil {
		return invalid("body: not a well-formed multipart message")
	}
	if p.FileName == "" {
		if *texts -= int64(len(data)); *texts < 0 {
			return payloadTooLarge()
		}
	}
	p.data = data
	return nil
}

// leave reads a part, the index-th of a body that is in a file, without keeping it.
func (p *Part) leave(sent io.Reader, m medium, body content, index int) *Problem {
	h := sha256.New()
	size, err := io.Copy(h, sent)
	if err != nil {
		return invalid("body: not a well-formed multipart message")
	}
	p.left = &leftPart{size: size, sum: [sha256.Size]byte(h.Sum(nil)), open: func() (io.ReadCloser, error) {
		reader := multipart.NewReader(body.open(), m.boundary)
		for range index {
			if _, err := reader.NextPart(); err != nil {
				return nil, err
			}
		}
		return reader.NextPart()
	}}
	return nil
}
