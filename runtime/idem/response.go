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

// respond is what a typed handler's result looks like on the wire.
func (s *Service) respond(ctx context.Context, r *Response, err error) (Response, error) {
	if err != nil {
		if mapped := s.mapError(ctx, err); mapped != nil {
			r = mapped
		} else {
			return complete(internalError("the operation failed").Response()), err
		}
	}
	if r == nil {
		err := errors.New("the handler returned neither a response nor an error")
		return complete(internalError("the operation failed").Response()), err
	}
	resp := complete(r)
	if bad := checkResponse(resp); bad != nil {
		return complete(internalError("the operation failed").Response()), bad
	}
	return resp, err
}

func (s *Service) mapError(ctx context.Context, err error) *Response {
	var p *Problem
	if errors.As(err, &p) {
		return p.Response()
	}
	if s.MapError != nil {
		return s.MapError(ctx, err)
	}
	return nil
}

// complete copies a response and fills in what net/http would: status 200 and the sniffed type, so
// that a replay says the same.
func complete(r *Response) Response {
	resp := Response{Status: cmp.Or(r.Status, http.StatusOK), Header: r.Header.Clone(), Body: r.Body}
	if resp.Header == nil {
		resp.Header = http.Header{}
	}
	if !bodyAllowed(resp.Status) {
		resp.Body = nil
	}
	sniff(resp.Header, resp.Status, resp.Body)
	return resp
}

func checkResponse(r Response) error {
	if r.Status < 200 || r.Status > 999 {
		return fmt.Errorf("%d is not a final HTTP status", r.Status)
	}
	return nil
}

// storable is the part of a response that the record keeps. One that is over the limit leaves a
// tombstone.
func (a *Attempt) storable(r Response) Response {
	if int64(len(r.Body)) > a.policy.MaxResponse {
		return Response{Status: r.Status, Tombstone: true}
	}
	return Response{Status: r.Status, Header: storedHeader(r.Header, a.op.Stored), Body: r.Body}
}

// problemOf is the answer to a state that has neither the caller run nor a response replayed.
func (s *Service) problemOf(p Policy, st State) *Problem {
	switch st {
	case Conflict:
		return conflict(p.ConflictStatus)
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
