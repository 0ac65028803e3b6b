package golang

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func TestExportedName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"claims.create": "ClaimsCreate", "programmes.requirements.update": "ProgrammesRequirementsUpdate",
		"api-keys.rotate": "APIKeysRotate", "users.ids": "UsersIDs", "submissionId": "SubmissionID", "userIDs": "UserIDs",
		"HTTPServer": "HTTPServer", "taxId2": "TaxID2", "sha256": "Sha256", "2fa": "X2fa", "v1.2": "V1_2", "a.12": "A12",
		"+1": "Plus1", "-1": "Minus1", "utf-8": "UTF8", "1-2": "X1_2", "TOTAL_AMOUNT": "TotalAmount", "GBP": "GBP", "OPEN": "Open",
		"io.k8s.api.core.v1.Pod": "IoK8sAPICoreV1Pod", "Page«Claim»": "PageClaim", "": "Empty", "*": "Star", "<=": "LessEqual",
		"état": "État", "e\u0301tat": "Etat", "名前": "X名前", "ǆ": "Ǆ", "ß": "Xß", "😀": "U1F600", "١": "X١", "\xff": "UFFFD",
		strings.Repeat("word.", 20): strings.Repeat("Word", 20),
	} {
		got := exportedName(text)
		if got != want || !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exportedName(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestUnexportedName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"claims.create": "claimsCreate", "api-keys.rotate": "apiKeysRotate", "id": "id", "2fa.issue": "x2faIssue", "1.2": "x1_2",
	} {
		if got := unexportedName(text); got != want {
			t.Errorf("unexportedName(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMemberName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "Empty", "a.b": "AB", "3": "3",
		strings.Repeat("word ", 20):        strings.Repeat("Word", 15),
		"It is " + strings.Repeat("x", 70): "ItIs",
		strings.Repeat("é", 70):            "É" + strings.Repeat("é", 59),
		strings.Repeat("*", 70):            strings.Repeat("Star", 15),
	} {
		if got := memberName(text); got != want {
			t.Errorf("memberName(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzExportedName(f *testing.F) {
	f.Add("claims.create")
	f.Add(evil)
	f.Fuzz(func(t *testing.T, text string) {
		if got := exportedName(text); !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exportedName(%q) = %q", text, got)
		}
		if got := "x" + memberName(text); !token.IsIdentifier(got) {
			t.Errorf("memberName(%q) = %q", text, got)
		}
	})
}

func TestAllocate(t *testing.T) {
	t.Parallel()
	cands := []candidate{
		{"a", "Claim", "claim"}, {"b", "Claim", "Claim"}, {"c", "Claim", "CLAIM"}, {"d", "Claim2", "claim2"},
		{"e", "Taken", "taken"}, {"f", "Taken", "TAKEN"}, {"g", "Other", "other"}, {"h", "OtherSchema", "x"}, {"i", "V1", "v1"}, {"j", "V1", "V-1"},
	}
	want := map[string]string{
		"a": "Claim3", "b": "Claim", "c": "Claim4", "d": "Claim2",
		"e": "TakenSchema", "f": "TakenSchema2", "g": "OtherSchema2", "h": "OtherSchema", "i": "V1", "j": "V1_2",
	}
	for range 50 {
		rand.Shuffle(len(cands), func(i, j int) { cands[i], cands[j] = cands[j], cands[i] })
		names := scope{}
		names.take("Taken", "Other")
		got := names.allocate("Schema", cands)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
		for _, n := range got {
			if !names[n] {
				t.Fatalf("%s is not taken", n)
			}
		}
	}
}

// The order in which a document says things gives way to the names: not a byte of the output depends on it.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := formatted(t, document())
			for seed := range uint64(20) {
				doc := document()
				shuffleDocument(doc, rand.New(rand.NewPCG(seed, 0)))
				for i, f := range formatted(t, doc) {
					if string(f.Data) != string(want[i].Data) {
						t.Fatalf("seed %d: %s differs:\n%s", seed, f.Name, f.Data)
					}
				}
			}
		})
	}
}

func shuffleDocument(doc *ir.Document, r *rand.Rand) {
	shuffle(r, doc.Operations)
	shuffle(r, doc.Types)
	shuffle(r, doc.Exempt)
	shuffle(r, doc.Unkeyed)
	met := make(map[*ir.Type]bool)
	var visit func(*ir.Type)
	visit = func(t *ir.Type) {
		if t == nil || met[t] {
			return
		}
		met[t] = true
		shuffle(r, t.Fields)
		shuffle(r, t.Branches)
		visit(t.Items)
		visit(t.Rest)
		for _, f := range t.Fields {
			visit(f.Type)
		}
	}
	for _, t := range doc.Types {
		visit(t)
	}
	for _, op := range doc.Operations {
		shuffle(r, op.QueryParams)
		shuffle(r, op.Headers)
		shuffle(r, op.Scope)
		for _, b := range op.Bodies {
			visit(b.Type)
		}
	}
}

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func TestProblems(t *testing.T) {
	t.Parallel()
	at := func(op *ir.Operation, line int) *ir.Operation {
		op.EndpointPos.Line = line
		return op
	}
	for name, test := range map[string]struct {
		operations []*ir.Operation
		want       string
	}{
		"one Go name": {
			[]*ir.Operation{at(post("claims-create", "/a"), 7), at(post("claims.create", "/b"), 3)},
			`api.yaml:3:31: endpoint key "claims.create" gives the Go name EndpointClaimsCreate, and so does "claims-create" at api.yaml:7:31: ` +
				`rename the one that has no records yet, so that they differ in more than their separators`,
		},
		"one key": {
			[]*ir.Operation{at(post("claims.create", "/a"), 3), at(post("claims.create", "/b"), 7)},
			`api.yaml:7:31: endpoint key "claims.create" is also that of POST /a at api.yaml:3:31: give each operation a key of its own`,
		},
		"one derived name": {
			[]*ir.Operation{at(post("claims.create", "/a"), 3), at(post("claims.create.tx", "/b"), 7)},
			`api.yaml:7:31: endpoint key "claims.create.tx" gives the Go name HandleClaimsCreateTx, and so does "claims.create" at api.yaml:3:31: ` +
				`rename the one that has no records yet, so that they differ in more than their separators`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan, problems := NewPlan(&ir.Document{Operations: test.operations})
			if plan != nil || len(problems) != 1 {
				t.Fatalf("plan %v, problems %v; want one problem", plan, problems)
			}
			p := problems[0]
			if got := fmt.Sprintf("%s:%d:%d: %s: %s", p.Pos.File, p.Pos.Line, p.Pos.Col, p.What, p.Remedy); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
