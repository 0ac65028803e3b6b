package golang

import "github.com/idemgen/idemgen/gen/internal/ir"

// evil is a description that tries to leave its comment, or to be a directive.
const evil = "*/\nfunc init() { panic(1) }\n//go:generate touch x\n+build ignore\r//line a.go:1\u2028\u0085`\u202e\ufeff" +
	"\n\n# Heading\n\n- item\n- item\n1. one\n\tcode\n[x]: http://example.test\nDeprecated: no.\xff"

// traps is a document whose names are what generators have stumbled over (cases G01 to G11, G32, G42).
func traps() *ir.Document {
	mark := component("Mark", enum(`"*"`, `"+1"`, `"-1"`, `""`, `" "`, `"up"`, `"Up"`, `"UP"`, `"Etc/GMT+1"`, `"Etc/GMT-1"`,
		`"*/"`, "\"`\"", `"a\nb"`, `"a\\\"b"`, `"日本"`, `"null"`, `"NULL"`, `"2024-05-01"`, `"PENDING_REVIEW"`))
	shadow := component("Shadow", enum(`"up"`, `"Up"`, `"*"`))
	quota := component("Quota", object(may("limit", integer(64))))
	quota.Doc = evil
	kind := component("ClaimKind", object(may("marshalJSON", str()), may("Unmarshal_JSON", str()), may("extra", str())))
	claim := component("Claim", enum(`"kind"`, `"other"`))
	payload := component("QuotaRaisePayload", object(may("middleware", str())))
	middleware := component("Middleware", object(may("x", str())))
	twin := component("new-claim", object(may("a", str())))
	twin2 := component("NewClaim", object(may("b", str())))
	twin3 := component("new_claim", object(may("c", str())))
	other := component("Quota", object(may("other", str())))
	other.Ref = "other.yaml#/components/schemas/Quota"
	body := component("TypeSetBody", object(may("a", str())))

	vendor := object(
		may("tax-id", str()), may("tax_id", str()), may("taxId", str()), may("TaxID", str()), may("taxId2", str()),
		may("+1", str()), may("-1", str()), may("3dSecure", str()), may("9", str()),
		may("map", str()), may("nil", str()), may("chan", str()), may("error", str()), may("string", str()), may("len", str()),
		may("", str()), may("-", str()), may("a,b", str()), may("a,c", str()), may("'q'", str()), may(`back\slash"`, str()), may("`", str()),
		may("2024-05-01", str()), may("12:30:45", str()), may("\ufeffbom", str()), may("名前", str()), may("数量", str()),
		may("état", str()), may("e\u0301tat", str()), may("ǆ", str()), may("😀", str()), may("a b", str()), may("$ref", str()), may("@type", str()),
		may("line\nfeed", str()), may("claim", claim), may("kind", kind), may("mark", mark), may("shadow", shadow),
		may("a.b", object(may("x", str()))), may("a", object(may("b", object(may("y", str()))))),
		may("twins", object(may("1", twin), may("2", twin2), may("3", twin3), may("o", other), may("p", payload), may("m", middleware))),
		may("userIDs", str()), may("HTTPServer", str()), may("apiURL", str()), may("TOTAL_AMOUNT", str()),
	)
	vendor.Doc = evil
	for _, f := range vendor.Fields {
		if f.Name == "map" {
			f.Doc = evil
		}
	}
	raise := taking(post("quota.raise", "/quotas/{Quota}"), object(may("reason", str()), may("quota", quota), may("id", str())))
	raise.Summary = evil
	raise.PathParams = []*ir.Parameter{{Name: "Quota", Required: true, Type: str()}, {Name: "id", Required: true, Type: str()}}
	raise.QueryParams = []*ir.Parameter{
		{Name: "page-size", Type: str()}, {Name: "page_size", Type: str(), Doc: evil}, {Name: "id", Type: str()}, {Name: "extra", Type: str()},
	}
	ops := []*ir.Operation{taking(post("vendor.add", "/vendors"), vendor), raise}
	for _, key := range []string{"2fa.token-issue", "4x4.drop", "select", "string", "idem", "svc", "fn", "len", "init", "new.handler",
		"operations", "id.create", "select.operation", "a.1.2", "a.12"} {
		ops = append(ops, post(key, "/k/"+key))
	}
	// An inline body, although a component already has the name that it would get.
	ops = append(ops, taking(post("type.set", "/type"), object(may("c", body))))
	return &ir.Document{
		File: "traps.yaml", Title: evil, Operations: ops,
		Types: []*ir.Type{mark, shadow, quota, kind, claim, payload, middleware, twin, twin2, twin3, other, body},
	}
}
