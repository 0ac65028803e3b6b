package service

import (
	"database/sql"
	"fmt"
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
)

// exempt are the document's operations without a key. They change nothing that the ledger keeps.
func exempt(mux *http.ServeMux) {
	for pattern, status := range map[string]int{
		"POST /auth/login":                         http.StatusOK,
		"POST /auth/verify":                        http.StatusOK,
		"POST /auth/logout":                        http.StatusNoContent,
		"POST /auth/revoke":                        http.StatusNoContent,
		"POST /auth/revoke-all":                    http.StatusNoContent,
		"POST /evaluations/validate":               http.StatusOK,
		"POST /evaluations/{evaluationId}/preview": http.StatusOK,
		"POST /questions/validate":                 http.StatusOK,
		"POST /questions/preview":                  http.StatusOK,
		"POST /imports/preview":                    http.StatusOK,
		"POST /sessions/{sessionId}/events":        http.StatusAccepted,
		"POST /internal/test-email":                http.StatusAccepted,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			if status != http.StatusOK {
				w.WriteHeader(status)
				return
			}
			answerJSON(w, map[string]any{"ok": true})
		})
	}
}

// reads are the document's GET operations.
func reads(mux *http.ServeMux, db *sql.DB) {
	for pattern, table := range map[string]string{
		"GET /evaluations/{id}": "evaluations",
		"GET /submissions/{id}": "submissions",
		"GET /claims/{id}":      "claims",
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			caller, _ := CallerOf(r.Context())
			id := r.PathValue("id")
			var state string
			err := db.QueryRowContext(r.Context(), fmt.Sprintf(`SELECT state FROM %q WHERE tenant = ? AND id = ?`, table), caller.Tenant, id).Scan(&state)
			if err != nil {
				answerProblem(w, &idem.Problem{Status: http.StatusNotFound, Code: "not_found", Detail: table + ": no " + id})
				return
			}
			answerJSON(w, map[string]any{"id": id, "state": state})
		})
	}
}

func answerJSON(w http.ResponseWriter, v any) {
	r, err := idem.JSON(http.StatusOK, v)
	if err != nil {
		panic(err) // only maps of plain values come here
	}
	answer(w, r)
}
