package idem

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// JSON is a response with v as its body, encoded by encoding/json without escaping HTML.
func JSON(status int, v any) (*Response, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode response: %w", err)
	}
	return &Response{
		Status: status,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   bytes.TrimSuffix(body.Bytes(), []byte("\n")),
	}, nil
}

// respond is what a typed handler's result looks like on the wire. The error is the one that no client
// is told: the handler's, unless it is mapped, or what is wrong with its response.
func (s *Service) respond(ctx context.Context, r *Response, err error) (Response, error) {
	if err != nil {
		if r = s.mapError(ctx, err); r != nil && r.Status == 0 {
			err, r = fmt.Errorf("mapped to a response without a status: %w", err), nil
		}
	} else if r == nil {
		err = errNoResponse
	}
	if r != nil {
		resp, bad := final(r)
		if bad == nil {
			return resp, nil
		}
		err = errors.Join(bad, err)
	}
	resp, _ := final(internalError("the operation failed").Response())
	return resp, err
}

var errNoResponse = errors.New("the handler returned neither a response nor an error")

func (s *Service) mapError(ctx context.Context, err error) *Response {
	if p := asProblem(err, nil); p != nil {
		return p.Response()
	}
	if s.MapError != nil {
		return s.MapError(ctx, err)
	}
	return nil
}

// final copies a response, with canonical header names, and fills in what net/http would: status 200 and
// the sniffed type, so that a replay says the same. Without a final status it is none.
func final(r *Response) (Response, error) {
	if r == nil {
		return Response{}, errNoResponse
	}
	resp := Response{Status: cmp.Or(r.Status, http.StatusOK), Header: http.Header{}, Body: r.Body}
	if resp.Status < 200 || resp.Status > 999 {
		return Response{}, fmt.Errorf("%d is not a final HTTP status", resp.Status)
	}
	for _, name := range sortedNames(r.Header) {
		canonical := http.CanonicalHeaderKey(name)
		resp.Header[canonical] = append(resp.Header[canonical], r.Header[name]...)
	}
	if !bodyAllowed(resp.Status) {
		resp.Body = nil
	}
	sniff(resp.Header, resp.Status, resp.Body)
	return resp, nil
}

// storable is the part of a response that the record keeps. One that is over the limit leaves a
// tombstone.
func (a *Attempt) storable(r Response) Response {
	if int64(len(r.Body)) > a.policy.MaxResponse {
		return Response{Status: r.Status, Tombstone: true}
	}
	return Response{Status: r.Status, Header: storedHeader(r.Header, a.op.Stored), Body: r.Body}
}

// Problem is the answer to a request whose attempt is neither Reserved nor Replay; else it is nil.
func (a *Attempt) Problem() *Problem {
	switch a.outcome.State {
	case Conflict:
		return conflict(a.policy.ConflictStatus)
	case InProgress:
		return inProgress()
	case Unknown:
		return outcomeUnknown()
	case Tombstone:
		return responseUnavailable()
	case Reserved, Replay:
		return nil
	default: // Absent: a record that was ours is gone
		return unavailable()
	}
}
