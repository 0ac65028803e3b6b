package main

import "strings"

// collected is what is expected of a case: that it is refused, at these places, or that requests and payloads of
// its code are these.
type collected struct {
	name    string
	Refused []string
	// Identities are requests: those of one list are one, those of two are not.
	Identities [][]string
	Payloads   map[string]string // request -> endpoint key and payload
	Statuses   map[string]int
}

// each is a list of identities with one request each.
func each(requests ...string) (lists [][]string) {
	for _, r := range requests {
		lists = append(lists, []string{r})
	}
	return lists
}

// posted is a form that is sent.
func posted(form string) string {
	return "POST /forms [Content-Type: application/x-www-form-urlencoded] " + form
}

// bodies are the same request with each of bodies.
func bodies(request string, bodies ...string) [][]string {
	var all []string
	for _, b := range bodies {
		all = append(all, request+" "+b)
	}
	return each(all...)
}

var cases = []collected{
	{name: "g01", Payloads: map[string]string{
		`DELETE /4x4/12`: `4x4.drop {"path":{"7th":12}}`,
		`POST /2fa/tokens {"9":"n","3dSecure":true}`: `2fa.token-issue {"body":{"3dSecure":true,"9":"n"}}`,
	}},
	{name: "g02",
		Payloads: map[string]string{
			`PUT /ledgers/A/entries/B?range=1&package=p {"map":"m","nil":true,"chan":["c"],"error":"e","string":"s","len":3}`: `ledger.select {"path":{"type":"A","func":"B"},"query":{"range":1,"package":"p"},"body":{"map":"m","nil":true,"chan":["c"],"error":"e","string":"s","len":3}}`,
		},
		Identities: each(`PUT /ledgers/A/entries/B {"map":"","nil":true}`, `PUT /ledgers/B/entries/A {"map":"","nil":true}`)},
	{name: "g03",
		Identities: append(
			bodies(`POST /vendors`, `{"tax-id":"A","tax_id":"B"}`, `{"tax-id":"B","tax_id":"A"}`, `{"+1":1}`, `{"-1":1}`, `{"taxId":"x"}`, `{"TaxID":"x"}`),
			each(`POST /vendors?page-size=1 {}`, `POST /vendors?page_size=1 {}`)...),
		Payloads: map[string]string{`POST /vendors {"taxId":"x"}`: `vendor.add {"body":{"taxId":"x"}}`}},
	{name: "g05", Identities: [][]string{
		{`PUT /seats/1?id=2 {"id":"3"}`, `PUT /seats/1?id=2 [id: 9] {"id":"3"}`},
		{`PUT /seats/2?id=1 {"id":"3"}`}, {`PUT /seats/1?id=3 {"id":"2"}`}, {`PUT /seats/3?id=2 {"id":"1"}`},
	}},
	{name: "g06",
		Identities: each(`POST /quotas/A {"reason":"r","quota":{"limit":5}}`, `POST /quotas/B {"reason":"r","quota":{"limit":5}}`, `POST /quotas/A {"reason":"s","quota":{"limit":5}}`, `POST /quotas/A {"reason":"r","quota":{"limit":6}}`),
		Payloads:   map[string]string{`POST /quotas/A {"reason":"r","quota":{"limit":5}}`: `quota.raise {"path":{"Quota":"A"},"body":{"reason":"r","quota":{"limit":5}}}`}},
	{name: "g08",
		Identities: bodies(`POST /votes`, `{"mark":"up"}`, `{"mark":"Up"}`, `{"mark":"UP"}`, `{"mark":""}`, `{"mark":" "}`, `{"mark":"*"}`, `{"mark":"+1"}`, `{"mark":"-1"}`, `{"mark":"Etc/GMT+1"}`, `{"mark":"Etc/GMT-1"}`),
		Statuses:   map[string]int{`POST /votes {}`: 400, `POST /votes {"mark":"uP"}`: 400}},
	{name: "g09", Identities: bodies(`PATCH /pumps/1`, `{"step":0}`, `{"step":-1}`, `{"step":null}`, `{}`, `{"label":"null"}`, `{"label":"NULL"}`, `{"label":null}`, `{"ratio":-0.5}`, `{"ratio":0.5}`),
		Statuses: map[string]int{`PATCH /pumps/1 {"ratio":null}`: 400}},
	{name: "g10", Refused: []string{
		`g10.yaml:21:46: the enum of a string has the number 007`, `g10.yaml:21:51: `, `g10.yaml:21:56: `, `g10.yaml:21:62: `, `g10.yaml:21:69: `,
	}},
	{name: "g11", Payloads: map[string]string{
		`PUT /rates {"2024-05-01":1,"12:30:45":"x","since":"2024-02-29"}`: `rate.set {"body":{"2024-05-01":1,"12:30:45":"x","since":"2024-02-29"}}`,
	}, Statuses: map[string]int{`PUT /rates {"since":"2024-02-29"}`: 400}},
	{name: "g13",
		Identities: bodies(`POST /trees`, deep(`{"right":{"trunk":`, `{"left":{}}`, `}}`, 490), deep(`{"right":{"trunk":`, `{"rings":[]}`, `}}`, 490)),
		Statuses:   map[string]int{`POST /trees ` + deep("[", "", "]", 100_000): 400}},
	{name: "g15",
		Identities: bodies(`POST /badges`, `{"owner":"o","rank":1}`, `{"owner":"p","rank":1}`, `{"owner":"o","rank":1,"tag":"t"}`, `{"owner":"o","rank":1,"serial":"5f5a2b1c-0000-4000-8000-000000000000"}`, `{"owner":"o","rank":1,"more":1}`),
		Statuses:   map[string]int{`POST /badges {"rank":1}`: 400, `POST /badges {"owner":"o"}`: 400, `POST /badges {"owner":"o","rank":9223372036854775808}`: 400}},
	{name: "g15b", Refused: []string{`g15b.yaml:17:45: "rank" cannot be both string and, on line 15, integer`}},
	{name: "g16",
		Identities: bodies(`POST /payouts`, `{"cents":5,"card":"x"}`, `{"cents":5,"card":"y"}`, `{"cents":5,"iban":"x"}`, `{"cents":5,"iban":"x","memo":"m"}`),
		Payloads:   map[string]string{`POST /payouts {"cents":5,"iban":"x","memo":"m"}`: `payout.create {"body":{"cents":5,"iban":"x","memo":"m"}}`}},
	{name: "g18",
		Identities: append(append([][]string{{`POST /blobs {"a":1,"b":2}`, `POST /blobs {"b":2,"a":1}`}},
			bodies(`POST /blobs`, `{"a":1}`, `{"a":2}`, `{}`)...),
			append(bodies(`PUT /blobs`, `1`, `"1"`, `true`, `null`, `[]`, `{}`),
				bodies(`PATCH /blobs`, `{"grid":[[1],[2]]}`, `{"grid":[[1,2]]}`, `{"grid":[[2],[1]]}`, `{"other":1}`, `{}`)...)...)},
	{name: "g19",
		Identities: append([][]string{
			{`POST /stock {"sku":"s","red":[1],"blue":[2]}`, `POST /stock {"blue":[2],"sku":"s","red":[1]}`},
			{`PUT /stock {"sku":"s","red":[1],"blue":[2]}`, `PUT /stock {"blue":[2],"sku":"s","red":[1]}`},
		}, append(bodies(`POST /stock`, `{"sku":"s","red":[1]}`, `{"sku":"s","blue":[1]}`, `{"sku":"s","red":[2]}`),
			bodies(`PUT /stock`, `{"sku":"s","red":[1]}`, `{"sku":"s","blue":[1]}`, `{"sku":"s","red":[2]}`)...)...),
		Statuses: map[string]int{`POST /stock {"sku":"s","red":"x"}`: 400, `PUT /stock {"sku":"s","red":"x"}`: 400}},
	{name: "g20",
		Identities: bodies(`POST /lockers`, `{"pin":"1","size":"L"}`, `{"pin":"1","size":"L","id":0}`, `{"pin":"2","size":"L"}`),
		Statuses:   map[string]int{`POST /lockers {"size":"L"}`: 400}},
	{name: "g22",
		Identities: append([][]string{
			{`POST /wallets/1/moves {"units":1,"price":10}`, `POST /wallets/1/moves {"units":1,"price":10.0}`, `POST /wallets/1/moves {"units":1,"price":1e1}`},
			{`POST /wallets/1/moves {"units":1,"price":0.1}`, `POST /wallets/1/moves {"units":1,"price":0.10}`},
		}, append(each(`POST /wallets/9007199254740992/moves {"units":1}`, `POST /wallets/9007199254740993/moves {"units":1}`,
			`POST /wallets/1/moves?seq=9007199254740992 {"units":1}`, `POST /wallets/1/moves?seq=9007199254740993 {"units":1}`),
			bodies(`POST /wallets/1/moves`, `{"units":9007199254740992}`, `{"units":9007199254740993}`, `{"units":1,"fee":"1.0"}`, `{"units":1,"fee":"1.00"}`, `{"units":1,"tier":9007199254740992}`, `{"units":1,"tier":9007199254740993}`)...)...),
		Payloads: map[string]string{
			`POST /wallets/1/moves {"units":9007199254740993,"big":123456789012345678901234567890,"uid":"7"}`: `wallet.move {"path":{"id":1},"body":{"units":9007199254740993,"big":123456789012345678901234567890,"uid":"7"}}`,
		},
		Statuses: map[string]int{`POST /wallets/1/moves {"units":1,"tier":9007199254740994}`: 400, `POST /wallets/01/moves {"units":1}`: 400}},
	{name: "g23",
		Identities: [][]string{
			{`POST /vouchers/a%2520b/redeem`}, {`POST /vouchers/a%20b/redeem`}, {`POST /vouchers/a+b/redeem`}, {`POST /vouchers/ab/redeem`}, {`POST /vouchers/default/redeem`},
		},
		Payloads: map[string]string{
			`POST /vouchers/15%25off/redeem`: `voucher.redeem {"path":{"code":"15%off"}}`,
			`POST /vouchers/a%2Fb/redeem`:    `voucher.redeem {"path":{"code":"a/b"}}`,
			`POST /vouchers/a+b/redeem`:      `voucher.redeem {"path":{"code":"a+b"}}`,
			`POST /vouchers/default/redeem`:  `voucher.redeem-default {}`,
		},
		// Another spelling of a path is refused: a router inside may read it in another way.
		Statuses: map[string]int{`POST /vouchers/%ff/redeem`: 400, `POST /vouchers/%fe/redeem`: 400, `POST /vouchers/%61b/redeem`: 400, `POST /vouchers/%64efault/redeem`: 400}},
	{name: "g24",
		Identities: [][]string{
			{
				posted(`email=e&topics=a&topics=b&codes=1,2&meta[order_id]=7&meta[deep][k]=v`),
				posted(`topics=a&codes=1%2C2&meta%5Border_id%5D=7&topics=b&meta%5Bdeep%5D%5Bk%5D=v&email=e`),
			},
			{posted(`email=e&topics=b&topics=a&codes=1,2&meta[order_id]=7&meta[deep][k]=v`)},
			{posted(`email=e&topics=a&topics=b&codes=2,1&meta[order_id]=7&meta[deep][k]=v`)},
			{posted(`email=e&topics=a&topics=b&codes=1,2&meta[order_id]=v&meta[deep][k]=7`)},
			{posted(`email=a+b`), posted(`email=a%20b`)},
			{posted(`email=a%2Bb`)},
		},
		Payloads: map[string]string{
			posted(`email=e&topics=a&topics=b&codes=1,2&meta[order_id]=7&meta[deep][k]=v`): `form.send {"form":{"email":"e","topics":["a","b"],"codes":"1,2","meta[order_id]":"7","meta[deep][k]":"v"}}`,
		},
		Statuses: map[string]int{posted(`email=a&email=b`): 400, posted(`topics=a`): 400, `POST /forms {"email":"e"}`: 415}},
	{name: "g26",
		Identities: each(
			`PUT /addresses/1 {"line":"x"}`,
			`PUT /addresses/1 [Content-Type: text/json] {"line":"x"}`,
			`PUT /addresses/1 [Content-Type: application/x+json] {"line":"x"}`,
			`PUT /addresses/1 [Content-Type: text/plain] {"line":"x"}`,
			`PUT /addresses/1 [Content-Type: application/x-www-form-urlencoded] line1=x`,
			`PATCH /addresses/1 {"line":"x"}`,
		),
		Statuses: map[string]int{
			`PUT /addresses/1 [Content-Type: application/xml] {"line":"x"}`:             415,
			`PUT /addresses/1 [Content-Type: text/json] {"line":`:                       400,
			`PUT /addresses/1 [Content-Type: text/plain] {"line":`:                      201,
			`PUT /addresses/1 [Content-Type: application/x-www-form-urlencoded] {"a":%`: 400,
		}},
	{name: "g27",
		Identities: [][]string{
			{`POST /notes {"text":"a"}`, `POST /notes [Content-Type: APPLICATION/JSON;charset="UTF-8"] {"text":"a"}`, `POST /notes [Content-Type: application/json; charset=utf-8] {"text":"a"}`},
			{`PATCH /notes/1 [Content-Type: application/merge-patch+json] {"text":null}`}, {`PATCH /notes/1 [Content-Type: application/merge-patch+json] {}`},
			{`PATCH /notes/1 [Content-Type: application/vnd.desk.note-v2+json] {}`},
		},
		Statuses: map[string]int{`PATCH /notes/1 {}`: 415}},
	{name: "g28",
		Payloads: map[string]string{
			`POST /bays/4/cars?lane=2&force=true`: `car.park {"path":{"bay":4},"query":{"lane":2,"force":true}}`,
			`DELETE /bays/x/cars`:                 `car.leave {"path":{"bay":"x"}}`,
		},
		Statuses: map[string]int{`POST /bays/4/cars`: 400, `POST /bays/x/cars?lane=2`: 400, `DELETE /bays/x/cars?force=1`: 400}},
	{name: "g29", Payloads: map[string]string{
		`PUT /rooms/r1?nights=2 {"guest":{"name":"n","host":"h"},"room":"r2"}`: `room.book {"path":{"room":"r1"},"query":{"nights":2},"body":{"guest":{"name":"n","host":"h"},"room":"r2"}}`,
		`POST /rooms/r1/keys {"name":"n"}`:                                     `room.cut-key {"path":{"room":"r1"},"body":{"name":"n"}}`,
	}},
	{name: "g32",
		Identities: bodies(`POST /memos`, `{"c":"*/"}`, "{\"c\":\"`\"}", `{"c":"a\nb"}`),
		Statuses:   map[string]int{`POST /memos {"c":"a b"}`: 400}},
	{name: "g33", Payloads: map[string]string{"POST /sheets {\"\uFEFFmark\":\"m\"}": "sheet.add {\"body\":{\"\uFEFFmark\":\"m\"}}"}},
	{name: "g34",
		Identities: each(`POST /jobs/7:cancel`, `POST /jobs/7:retry`, `POST /jobs/8:retry`),
		Payloads: map[string]string{
			`POST /jobs/7:cancel`:   `job.cancel {"path":{"jobId":"7"}}`,
			`POST /jobs/a:b:cancel`: `job.cancel {"path":{"jobId":"a:b"}}`,
			`POST /jobs/7:retry`:    `job.retry {"path":{"jobId":"7"}}`,
			`PUT /reports/2024.5`:   `report.close {"path":{"year":2024,"month":5}}`,
		},
		// 05 is no spelling of the integer 5 that a payload keeps.
		Statuses: map[string]int{`POST /jobs/7`: 404, `PUT /reports/2024.05`: 400}},
	{name: "g35",
		Identities: each(`PUT /shelves/A/books/B/C`, `PUT /shelves/C/books/B/A`),
		Payloads:   map[string]string{`PUT /shelves/A/books/B/C`: `book.place {"path":{"shelf-id":"A","book.id":"B","shelf_id":"C"}}`}},
	{name: "g38", Identities: each(`POST /p9`, `PUT /p9`, `PATCH /p9`, `DELETE /p9`, `POST /p1 {"z":"1"}`, `POST /p1 {"a":1}`, `POST /p1 [Content-Type: text/plain] {"z":"1"}`)},
	{name: "g39", Identities: each(`POST /lamps`, `POST /shades`)},
	{name: "g39b", Statuses: map[string]int{`POST /lamps`: 201, `POST /shades`: 404}},
	{name: "g42", Refused: []string{`g42.yaml:7:31: x-idempotency-endpoint "заявка.создать" is not an endpoint key`}},
	{name: "g45", Payloads: map[string]string{
		`POST /gates {"at":"2024-01-31T10:00:00.0Z","day":"2024-01-31","ref":"x","raw":"YQ=="}`: `gate.add {"body":{"at":"2024-01-31T10:00:00.0Z","day":"2024-01-31","ref":"x","raw":"YQ=="}}`,
	}},
	{name: "g46",
		Payloads: map[string]string{
			`POST /twins/1`:   `twin.make {"path":{"twinId":"1"}}`,
			`DELETE /twins/1`: `twin.drop {"path":{"name":"1"}}`,
		}},
}

// deep is core between n openings and n ends.
func deep(open, core, end string, n int) string {
	return strings.Repeat(open, n) + core + strings.Repeat(end, n)
}
