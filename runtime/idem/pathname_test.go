package idem

import (
	"net/http/httptest"
	"testing"
)

// A path parameter that was renamed makes no other request: neither of the request nor of its payload, nor for a
// program that does not know the new name yet.
func TestARenamedPathParameterIsTheSameRequest(t *testing.T) {
	t.Parallel()
	type path struct {
		ClaimID string `json:"claimId"`
		ID      string `json:"id"`
	}
	type payload struct {
		Path path `json:"path"`
	}
	old := Operation{Endpoint: "claims.withdraw", Method: "POST", Path: "/submissions/{submission}/claims/{claimId}"}
	renamed := Operation{Endpoint: "claims.withdraw", Method: "POST", Path: "/submissions/{id}/claims/{claimId}",
		PathNames: []PathName{{Name: "id", First: "submission"}}}
	swapped := Operation{Endpoint: "claims.withdraw", Method: "POST", Path: "/submissions/{claimId}/claims/{id}",
		PathNames: []PathName{{Name: "claimId", First: "submission"}, {Name: "id", First: "claimId"}}}
	of := func(op *Operation) Fingerprint {
		fp, err := RequestFingerprint(op, httptest.NewRequest("POST", "/submissions/s1/claims/c1", nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		return fp
	}
	want := of(&old)
	if of(&renamed) != want || of(&swapped) != want {
		t.Error("renaming a path parameter makes another request")
	}
	if without := renamed; of(&Operation{Endpoint: without.Endpoint, Method: without.Method, Path: without.Path}) == want {
		t.Error("the names of path parameters are not compared, so this test shows nothing")
	}
	if got, err := FingerprintOf(&renamed, payload{path{"c1", "s1"}}); err != nil || got != want {
		t.Errorf("the payload's fingerprint is %v, %v; the request's %v", got, err, want)
	}
}
