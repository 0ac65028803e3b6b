package golang

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

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
		{id: "a", base: "TaxID", wire: "tax_id"}, {id: "b", base: "TaxID", wire: "taxId"}, {id: "c", base: "TaxID", wire: "tax-id"},
		{id: "d", base: "TaxID2", wire: "taxId2"}, {id: "e", base: "Taken", wire: "taken"},
		{id: "f", base: "EtatUp", wire: "up", once: "Up"}, {id: "g", base: "Up", wire: "up"}, {id: "h", base: "Down", wire: "down", once: "Down"},
		{id: "i", base: "V1", wire: "v1"}, {id: "j", base: "V1", wire: "1"},
		{id: "k", base: "Twin", wire: "twin"}, {id: "l", base: "Twin", wire: "Twin"}, {id: "m", base: "Twin_twin", wire: "made up"},
	}
	want := map[string]string{
		"a": "TaxID_tax_id", "b": "TaxID_taxId", "c": "TaxID_tax_x2D_id", "d": "TaxID2", "e": "Taken_taken",
		"f": "EtatUp", "g": "Up_up", "h": "Down", "i": "V1_v1", "j": "V1__x31_",
		"k": "Twin_twin_", "l": "Twin_Twin", "m": "Twin_twin",
	}
	for range 50 {
		rand.Shuffle(len(cands), func(i, j int) { cands[i], cands[j] = cands[j], cands[i] })
		names := scope{}
		names.take("Taken")
		got := names.allocate(cands)
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

func TestSpell(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxSpelt)
	for text, want := range map[string]string{
		"tax_id": "tax_id", "tax-id": "tax_x2D_id", "a_xb": "a_x5F_xb", "_-x": "__x2D_x", "a__x": "a__x5F_x", "": "", "1.2": "_x31__x2E_2",
		"名前": "名前", "e\u0301": "e_x301_", "😀": "_x1F600_", long: long, long + "é": "_xcfe5b986ef57843fa75708b47a2c9b57",
	} {
		if got := spell(text); got != want {
			t.Errorf("spell(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzSpell: what is spelt can be read back, unless it is a digest, and can stand in an identifier.
func FuzzSpell(f *testing.F) {
	code := regexp.MustCompile(`_x([0-9A-F]+)_`)
	f.Add("a_x2D_b-c")
	f.Add(evil)
	f.Fuzz(func(t *testing.T, text string) {
		got := spell(text)
		if !token.IsIdentifier("V1_"+got) || utf8.RuneCountInString(got) > maxSpelt || got != "" && unicode.IsDigit([]rune(got)[0]) {
			t.Errorf("spell(%q) = %q", text, got)
		}
		back := code.ReplaceAllStringFunc(got, func(s string) string {
			n, err := strconv.ParseInt(s[2:len(s)-1], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return string(rune(n))
		})
		if digest := len(got) == 34 && !strings.HasSuffix(got, "_"); back != text && utf8.ValidString(text) && !digest {
			t.Errorf("spell(%q) = %q, which reads as %q", text, got, back)
		}
	})
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
