package service_test

// A write is one keyed operation: a request that succeeds on a fresh database, and the rows that it
// adds beside its own event and its own record.
type write struct {
	endpoint string
	request  string // method, path and query
	body     string // JSON, unless mediaType says otherwise
	// changed is another body, or, where it begins with a slash, another path or query: the same key
	// with another payload.
	changed   string
	rows      map[string]int // table -> rows added
	status    int
	as        string // the token; acme.alice where it is empty
	mediaType string
	header    string // "Name: value"
}

func one(table string) map[string]int { return map[string]int{table: 1} }

// surface is every keyed operation of the document, in its order.
var surface = []write{
	// Evaluations.
	{endpoint: "evaluations.create", request: "POST /evaluations", status: 201, rows: one("evaluations"),
		body:    `{"title":{"en":"Site safety","sv":"Säkerhet"},"kind":"exam","grading":{"method":"points","scale":[{"grade":"F","from":0},{"grade":"A","from":0.9}],"rounding":null},"passMark":0.5,"tags":["a","b"],"settings":{"theme":{"dark":true}},"clientTime":"2026-03-01T08:00:00Z"}`,
		changed: `{"title":{"en":"Site safety","sv":"Säkerhet"},"kind":"exam","grading":{"method":"points","scale":[{"grade":"F","from":0},{"grade":"A","from":0.91}],"rounding":null},"passMark":0.5,"tags":["a","b"],"settings":{"theme":{"dark":true}},"clientTime":"2026-03-01T08:00:00Z"}`},
	{endpoint: "evaluations.update", request: "PATCH /evaluations/ev-1", status: 200,
		body: `{"passMark":0.6}`, changed: `{"passMark":null}`},
	{endpoint: "evaluations.delete", request: "DELETE /evaluations/ev-1", status: 204, changed: "/evaluations/ev-1?force=true"},
	{endpoint: "evaluations.versions.create", request: "POST /evaluations/ev-1/versions", status: 201, rows: one("versions"),
		body: `{"summary":"second","basedOn":1}`, changed: `{"summary":"second","basedOn":2}`},
	{endpoint: "evaluations.versions.publish", request: "POST /evaluations/ev-1/versions/1/publish", status: 200,
		body: `{"audience":"partners","effective":{"from":"2026-03-01","to":null}}`, changed: `{"audience":"partners","effective":{"from":"2026-03-01"}}`},
	{endpoint: "evaluations.versions.retire", request: "POST /evaluations/ev-1/versions/1/retire", status: 200,
		changed: "/evaluations/ev-1/versions/2/retire"},
	{endpoint: "evaluations.feedback.create", request: "POST /evaluations/ev-1/feedback", status: 201, rows: one("feedback"),
		body: `{"rating":5,"text":"clear","author":null,"links":[{"href":"https://files.example/a.pdf"}]}`, changed: `{"rating":4,"text":"clear","author":null,"links":[{"href":"https://files.example/a.pdf"}]}`},
	{endpoint: "evaluations.feedback.delete", request: "DELETE /evaluations/ev-1/feedback/fb-1", status: 204,
		body: `{"reason":"entered twice"}`, changed: `{"reason":"entered thrice"}`},
	{endpoint: "evaluations.sections.create", request: "POST /evaluations/ev-1/sections", status: 201, rows: one("sections"),
		body:    `{"title":{"en":"Part three"},"position":3,"visibleWhen":{"all":[{"fact":"age","op":"gt","value":18},{"not":{"fact":"site","op":"in","value":["x","y"]}}]}}`,
		changed: `{"title":{"en":"Part three"},"position":3,"visibleWhen":{"all":[{"fact":"age","op":"gt","value":18},{"not":{"fact":"site","op":"in","value":["y","x"]}}]}}`},
	{endpoint: "evaluations.sections.reorder", request: "PUT /evaluations/ev-1/sections/order", status: 200,
		body: `["sec-2","sec-1"]`, changed: `["sec-1","sec-2"]`},
	{endpoint: "evaluations.sections.update", request: "PATCH /evaluations/ev-1/sections/sec-1", status: 200,
		body: `{"timeLimit":"PT30M"}`, changed: `{"timeLimit":null}`},
	{endpoint: "evaluations.sections.delete", request: "DELETE /evaluations/ev-1/sections/sec-1", status: 204, changed: "/evaluations/ev-1/sections/sec-2"},
	{endpoint: "evaluations.items.create", request: "POST /evaluations/ev-1/items", status: 201, rows: one("items"),
		body: `{"section":"sec-1","question":"qu-1","points":2.5,"weights":{"clarity":0.5,"depth":1}}`, changed: `{"section":"sec-1","question":"qu-1","points":2.5,"weights":{"clarity":0.5}}`},
	{endpoint: "evaluations.items.update", request: "PATCH /evaluations/ev-1/items/it-1", status: 200,
		body: `{"points":3}`, changed: `{"points":3.0000000000000000001}`},
	{endpoint: "evaluations.items.delete", request: "DELETE /evaluations/ev-1/items/it-1", status: 204, changed: "/evaluations/ev-1/items/it-2"},
	{endpoint: "evaluations.buckets.create", request: "POST /evaluations/ev-1/buckets", status: 201, rows: one("buckets"),
		body: `{"name":"core","pick":1,"items":["it-1","it-2"],"seed":9007199254740993}`, changed: `{"name":"core","pick":1,"items":["it-1","it-2"],"seed":9007199254740992}`},
	{endpoint: "evaluations.buckets.update", request: "PATCH /evaluations/ev-1/buckets/bu-1", status: 200,
		body: `{"name":"opening"}`, changed: `{"name":"opening","pick":2}`},
	{endpoint: "evaluations.buckets.delete", request: "DELETE /evaluations/ev-1/buckets/bu-1", status: 204, changed: "/evaluations/ev-2/buckets/bu-1"},

	// Authoring.
	{endpoint: "questions.create", request: "POST /questions", status: 201, rows: one("questions"),
		body:    `{"stem":{"en":"Which gate?"},"answer":{"form":"choice","choices":[{"id":"a","text":{"en":"North"},"correct":true},{"id":"b","text":{"en":"South"}}]},"difficulty":0.4,"tags":["gate"]}`,
		changed: `{"stem":{"en":"Which gate?"},"answer":{"form":"choice","choices":[{"id":"a","text":{"en":"North"}},{"id":"b","text":{"en":"South"},"correct":true}]},"difficulty":0.4,"tags":["gate"]}`},
	{endpoint: "questions.update", request: "PATCH /questions/qu-1", status: 200,
		body: `{"answer":{"form":"numeric","value":"1.10"}}`, changed: `{"answer":{"form":"numeric","value":"1.1"}}`},
	{endpoint: "questions.delete", request: "DELETE /questions/qu-1", status: 204,
		body: `{"reason":"ambiguous"}`, changed: `{"reason":"wrong"}`},
	{endpoint: "questions.publish", request: "POST /questions/qu-1/publish", status: 200, changed: "/questions/qu-2/publish"},
	{endpoint: "passages.create", request: "POST /passages", status: 201, rows: one("passages"),
		body: `{"title":"The harbour","text":{"en":"Ships came."},"source":null}`, changed: `{"title":"The harbour","text":{"en":"Ships came."}}`},
	{endpoint: "passages.update", request: "PATCH /passages/pa-1", status: 200,
		body: `{"title":"The old harbour"}`, changed: `{"title":"The new harbour"}`},
	{endpoint: "passages.delete", request: "DELETE /passages/pa-1", status: 204, changed: "/passages/pa-2"},

	// Programmes.
	{endpoint: "programmes.create", request: "POST /programmes", status: 201, rows: one("programmes"),
		body:    `{"code":"ISO-9","name":{"en":"Quality"},"runs":{"from":"2026-03-01","to":null},"fee":{"amount":"1250.00","currency":"SEK"},"contacts":[{"name":"Ada Lind","role":"adjudicator","address":{"lines":["1 Harbour Road"],"country":"SE"}}],"externalRef":12345678901234567890}`,
		changed: `{"code":"ISO-9","name":{"en":"Quality"},"runs":{"from":"2026-03-01","to":null},"fee":{"amount":"1250.00","currency":"SEK"},"contacts":[{"name":"Ada Lind","role":"adjudicator","address":{"lines":["1 Harbour Road"],"country":"SE"}}],"externalRef":12345678901234567891}`},
	{endpoint: "programmes.update", request: "PATCH /programmes/pr-1", status: 200,
		body: `{"fee":{"amount":"99.50","currency":"EUR"}}`, changed: `{"fee":null}`},
	{endpoint: "programmes.archive", request: "POST /programmes/pr-1/archive", status: 200, changed: "/programmes/pr-2/archive"},
	{endpoint: "programmes.requirements.create", request: "POST /programmes/pr-1/requirements", status: 201, rows: one("requirements"),
		body:    `{"kind":"evaluation","target":"ev-1","minimumScore":"0.70","due":{"after":"enrolment","days":30},"alternatives":[{"kind":"evidence","target":"ed-1"}]}`,
		changed: `{"kind":"evaluation","target":"ev-1","minimumScore":"0.70","due":{"after":"enrolment","days":31},"alternatives":[{"kind":"evidence","target":"ed-1"}]}`},
	{endpoint: "programmes.requirements.update", request: "PUT /programmes/pr-1/requirements/re-1", status: 200,
		body: `{"kind":"attendance","target":"day-1"}`, changed: `{"kind":"attendance","target":"day-2"}`},
	{endpoint: "programmes.requirements.delete", request: "DELETE /programmes/pr-1/requirements/re-1", status: 204, changed: "/programmes/pr-2/requirements/re-1"},
	{endpoint: "programmes.enrolments.create", request: "POST /programmes/pr-1/enrolments?notify=true", status: 201, rows: map[string]int{"enrolments": 1, "notices": 1},
		body: `{"subject":"su-2","startsOn":"2026-03-01","cohort":null}`, changed: "/programmes/pr-1/enrolments?notify=false"},
	{endpoint: "programmes.enrolments.update", request: "PATCH /programmes/pr-1/enrolments/en-1", status: 200, header: "X-Effective-Date: 2026-03-01",
		body: `{"cohort":"spring"}`, changed: `{"cohort":"autumn"}`},
	{endpoint: "programmes.enrolments.withdraw", request: "POST /programmes/pr-1/enrolments/en-1/withdraw", status: 200,
		body: `{"reason":"moved away"}`, changed: `{"reason":"changed employer"}`},

	// People.
	{endpoint: "users.create", request: "POST /users", status: 201, rows: one("users"),
		body: `{"email":"eve@example.test","name":{"given":"Eve","family":"Ek","suffix":null},"attributes":{"team":"north"}}`, changed: `{"email":"eva@example.test","name":{"given":"Eve","family":"Ek","suffix":null},"attributes":{"team":"north"}}`},
	{endpoint: "users.update", request: "PATCH /users/us-1", status: 200,
		body: `{"locale":"sv-SE","attributes":{"team":null}}`, changed: `{"locale":"sv-SE","attributes":{}}`},
	{endpoint: "users.deactivate", request: "POST /users/us-1/deactivate", status: 200, changed: "/users/us-2/deactivate"},
	{endpoint: "users.roles.grant", request: "PUT /users/us-2/roles/ro-2", status: 200, rows: one("role_grants"), changed: "/users/us-2/roles/ro-1"},
	{endpoint: "users.roles.withdraw", request: "DELETE /users/us-1/roles/ro-1", status: 204, changed: "/users/us-1/roles/ro-2"},
	{endpoint: "roles.create", request: "POST /roles", status: 201, rows: one("roles"),
		body: `{"name":"approver","permissions":["read","approve"]}`, changed: `{"name":"approver","permissions":["read"]}`},
	{endpoint: "roles.update", request: "PATCH /roles/ro-1", status: 200,
		body: `{"permissions":["read","write"]}`, changed: `{"permissions":["read","write","write"]}`},
	{endpoint: "roles.delete", request: "DELETE /roles/ro-1", status: 204, changed: "/roles/ro-2"},
	{endpoint: "groups.create", request: "POST /groups", status: 201, rows: one("groups"),
		body: `{"name":"day shift","parent":"gr-1"}`, changed: `{"name":"day shift","parent":null}`},
	{endpoint: "groups.members.replace", request: "PUT /groups/gr-1/members", status: 200, rows: map[string]int{"memberships": 2},
		body: `{"members":["us-1","us-2"]}`, changed: `{"members":["us-1"]}`},
	{endpoint: "groups.delete", request: "DELETE /groups/gr-1", status: 204, changed: "/groups/gr-2"},
	{endpoint: "subjects.create", request: "POST /subjects", status: 201, rows: one("subjects"),
		body: `{"externalId":"P-1001","kind":"person","born":null,"attributes":{"age":34,"certified":true}}`, changed: `{"externalId":"P-1002","kind":"person","born":null,"attributes":{"age":34,"certified":true}}`},
	{endpoint: "subjects.update", request: "PATCH /subjects/su-1", status: 200, mediaType: "application/merge-patch+json",
		body: `{"born":"1990-02-03"}`, changed: `{"born":null}`},
	{endpoint: "subjects.delete", request: "DELETE /subjects/su-1", status: 204,
		body: `{"reason":"asked to be forgotten"}`, changed: `{"reason":"duplicate"}`},
	{endpoint: "subjects.merge", request: "POST /subjects/su-1/merge", status: 200,
		body: `{"into":"su-2"}`, changed: `{"into":"su-2","keep":"target"}`},
	{endpoint: "imports.commit", request: "POST /imports/im-1/commit", status: 201, rows: map[string]int{"imports": 1, "subjects": 2},
		body: `{"mode":"fail","rows":[{"externalId":"P-7","kind":"site"},{"externalId":"P-8","kind":"asset"}]}`, changed: `{"mode":"fail","rows":[{"externalId":"P-8","kind":"asset"},{"externalId":"P-7","kind":"site"}]}`},

	// Assignments.
	{endpoint: "assignments.create", request: "POST /assignments?notify=true", status: 201, rows: map[string]int{"assignments": 2, "notices": 2},
		body: `{"evaluation":"ev-1","version":1,"subjects":["su-1","su-2"],"window":{"from":"2026-03-01"}}`, changed: `{"evaluation":"ev-1","version":1,"subjects":["su-2"],"window":{"from":"2026-03-01"}}`},
	{endpoint: "assignments.update", request: "PATCH /assignments/as-1", status: 200,
		body: `{"note":"bring a helmet"}`, changed: `{"note":null}`},
	{endpoint: "assignments.cancel", request: "DELETE /assignments/as-1", status: 200,
		body: `{"reason":"site closed"}`, changed: `{"reason":"site sold"}`},
	{endpoint: "assignments.redeem", request: "POST /assignments/redeem", status: 201, rows: one("redemptions"), as: "acme.anonymous",
		body: `{"code":"HX7Q-22","nickname":"Bo","device":{"userAgent":"x"}}`, changed: `{"code":"HX7Q-22","nickname":"Mo","device":{"userAgent":"x"}}`},
	{endpoint: "assignments.overrides.create", request: "POST /assignments/as-1/overrides", status: 201, rows: one("overrides"),
		body: `{"kind":"extra-time","minutes":15,"reason":"screen reader"}`, changed: `{"kind":"extra-time","minutes":20,"reason":"screen reader"}`},
	{endpoint: "assignments.overrides.delete", request: "DELETE /assignments/as-1/overrides/ov-1", status: 204, changed: "/assignments/as-1/overrides/ov-2"},
	{endpoint: "assignments.schedules.create", request: "POST /assignments/as-1/schedules", status: 201, rows: one("schedules"),
		body:    `{"opens":"2026-03-01T08:00:00Z","timezone":"Europe/Stockholm","capacity":40,"blackouts":[{"from":"2026-04-01"},{"from":"2026-05-01","to":"2026-05-02"}]}`,
		changed: `{"opens":"2026-03-01T08:00:00Z","timezone":"Europe/Stockholm","capacity":40,"blackouts":[{"from":"2026-04-01"},{"from":"2026-05-01","to":"2026-05-03"}]}`},
	{endpoint: "assignments.schedules.update", request: "PUT /assignments/as-1/schedules/sc-1", status: 200,
		body: `{"opens":"2026-03-02T08:00:00Z","timezone":"Europe/Stockholm"}`, changed: `{"opens":"2026-03-02T08:00:00.0Z","timezone":"Europe/Stockholm"}`},
	{endpoint: "assignments.schedules.delete", request: "DELETE /assignments/as-1/schedules/sc-1", status: 204, changed: "/assignments/as-1/schedules/sc-2"},

	// Submissions.
	{endpoint: "submissions.create", request: "POST /submissions", status: 201, rows: one("submissions"),
		body:    `{"assignment":"as-1","session":null,"score":{"points":17.5,"outOf":20},"answers":{"it-1":{"value":"a","seconds":40},"it-2":{"value":["x",1,null]}}}`,
		changed: `{"assignment":"as-1","session":null,"score":{"points":17.5,"outOf":20},"answers":{"it-1":{"value":"a","seconds":40},"it-2":{"value":["x",1]}}}`},
	{endpoint: "submissions.evidence.create", request: "POST /submissions/sb-1/evidence", status: 201, rows: one("evidence"),
		body: `{"kind":"photo","title":"ladder","location":{"lat":59.3293,"lon":18.0686}}`, changed: `{"kind":"photo","title":"ladder","location":{"lat":59.3293,"lon":18.0687}}`},
	{endpoint: "submissions.evidence.upload", request: "PUT /submissions/sb-1/evidence/ed-1/content", status: 200, mediaType: "application/pdf",
		body: "%PDF-1.7 one", changed: "%PDF-1.7 two"},
	{endpoint: "submissions.evidence.approve", request: "POST /submissions/sb-1/evidence/ed-1/approve", status: 200,
		body: `{"score":"0.90","remarks":[{"text":"legible","page":1}]}`, changed: `{"score":"0.90","remarks":[{"text":"legible"}]}`},
	{endpoint: "submissions.evidence.reject", request: "POST /submissions/sb-1/evidence/ed-1/reject", status: 200,
		body: `{"reason":"illegible","comment":null}`, changed: `{"reason":"forged","comment":null}`},
	{endpoint: "submissions.evidence.actions.create", request: "POST /submissions/sb-1/evidence/ed-1/actions", status: 201, rows: one("evidence_actions"),
		body: `{"action":"redact","regions":[{"page":1,"box":[10,20,100.5,40]}]}`, changed: `{"action":"redact","regions":[{"page":1,"box":[20,10,100.5,40]}]}`},
	{endpoint: "submissions.reviews.create", request: "POST /submissions/sb-1/reviews", status: 201, rows: one("reviews"),
		body: `{"action":"regrade","regrade":{"item":"it-1","points":2}}`, changed: `{"action":"regrade","regrade":{"item":"it-1","points":2.5}}`},
	{endpoint: "submissions.hash", request: "POST /submissions/sb-1/hash", status: 201, rows: one("seals"), changed: "/submissions/sb-2/hash"},
	{endpoint: "submissions.void", request: "POST /submissions/sb-1/void", status: 200,
		body: `{"reason":"wrong subject"}`, changed: `{"reason":"wrong form"}`},
	{endpoint: "submissions.subjects.link", request: "PUT /submissions/sb-1/subjects/su-2", status: 200, rows: one("subject_links"),
		body: `{"as":"co-author","share":0.5}`, changed: `{"as":"co-author","share":0.4}`},
	{endpoint: "submissions.subjects.unlink", request: "DELETE /submissions/sb-1/subjects/su-1", status: 204, changed: "/submissions/sb-1/subjects/su-2"},

	// Claims and disputes.
	{endpoint: "claims.create", request: "POST /submissions/sb-1/claims", status: 201, rows: one("claims"),
		body:    `{"kind":"score","statement":"Marked twice.","share":0.25,"amount":{"amount":"10.00","currency":"EUR"},"parties":[{"name":"Ada","role":"claimant"}],"evidence":[{"id":"ed-1","pages":[1,2]},{"id":"ed-2"}],"assignee":null,"labels":{"batch":"7"}}`,
		changed: `{"kind":"score","statement":"Marked twice.","share":0.25,"amount":{"amount":"10.0","currency":"EUR"},"parties":[{"name":"Ada","role":"claimant"}],"evidence":[{"id":"ed-1","pages":[1,2]},{"id":"ed-2"}],"assignee":null,"labels":{"batch":"7"}}`},
	{endpoint: "claims.events.append", request: "POST /claims/cl-1/events", status: 201, rows: one("claim_events"),
		body: `{"type":"uphold","award":{"amount":"5.00","currency":"EUR"},"data":{"panel":[1,2,3]}}`, changed: `{"type":"uphold","award":{"amount":"5.00","currency":"EUR"},"data":{"panel":[3,2,1]}}`},
	{endpoint: "disputes.create", request: "POST /claims/cl-1/disputes", status: 201, rows: one("disputes"),
		body: `{"grounds":["procedure","evidence"]}`, changed: `{"grounds":["evidence","procedure"]}`},
	{endpoint: "disputes.events.append", request: "POST /disputes/di-1/events", status: 201, rows: one("dispute_events"),
		body: `{"type":"statement","statement":null}`, changed: `{"type":"statement","statement":"null"}`},

	// Engagements.
	{endpoint: "engagements.create", request: "POST /engagements", status: 201, rows: one("engagements"),
		body: `{"client":"Norra Hamnen AB","scope":["audit","training"],"budget":{"amount":"90000","currency":"SEK"},"terms":{"noticeDays":30,"law":"SE"}}`, changed: `{"client":"Norra Hamnen AB","scope":["audit","training"],"budget":{"amount":"90000","currency":"SEK"},"terms":{"noticeDays":60,"law":"SE"}}`},
	{endpoint: "engagements.update", request: "PATCH /engagements/eg-1", status: 200,
		body: `{"budget":{"amount":"95000","currency":"SEK"}}`, changed: `{"budget":{"amount":"95000","currency":"USD"}}`},
	{endpoint: "engagements.events.append", request: "POST /engagements/eg-1/events", status: 201, rows: one("engagement_events"),
		body: `{"type":"milestone","hours":"12.5"}`, changed: `{"type":"milestone","hours":"12.50"}`},
	{endpoint: "engagements.ratify", request: "POST /engagements/eg-1/ratify", status: 200, rows: one("ratifications"),
		body: `{"decision":"ratify"}`, changed: `{"decision":"decline"}`},
	{endpoint: "engagements.hash", request: "POST /engagements/eg-1/hash", status: 201, rows: one("seals"), changed: "/engagements/eg-1/hash?algorithm=sha-512"},

	// Remediation, compliance, reporting.
	{endpoint: "remediation.batches.create", request: "POST /remediation/batches", status: 201, rows: map[string]int{"batches": 1, "corrections": 2},
		body: `{"rule":"item 6 is void","corrections":[{"submission":"sb-1","change":"void-item"},{"submission":"sb-2","change":"add-points","points":-1.5}]}`, changed: `{"rule":"item 6 is void","corrections":[{"submission":"sb-1","change":"void-item"},{"submission":"sb-2","change":"add-points","points":1.5}]}`},
	{endpoint: "remediation.batches.apply", request: "POST /remediation/batches/ba-1/apply", status: 200,
		body: `{"expected":1}`, changed: `{"expected":1,"notify":false}`},
	{endpoint: "remediation.batches.revert", request: "POST /remediation/batches/ba-2/revert", status: 200,
		body: `{"reason":"wrong item"}`, changed: `{"reason":"wrong rule"}`},
	{endpoint: "compliance.jobs.create", request: "POST /compliance/jobs", status: 202, rows: one("compliance_jobs"),
		body: `{"framework":"iso-9001","period":{"from":"2026-01-01","to":"2026-04-01"},"options":{"deep":true,"depth":3}}`, changed: `{"framework":"iso-9001","period":{"from":"2026-01-01","to":"2026-04-01"},"options":{"deep":"true","depth":3}}`},
	{endpoint: "reporting.projections.enqueue", request: "POST /reporting/projections", status: 202, rows: one("projections"),
		body: `{"projection":"scores","since":18446744073709551615}`, changed: `{"projection":"scores","since":18446744073709551614}`},
	{endpoint: "reporting.percentiles.recompute", request: "POST /reporting/percentiles/recompute", status: 202, rows: one("percentile_runs"),
		body: `{"evaluation":"ev-1","percentiles":[50,90,99.9]}`, changed: `{"evaluation":"ev-1","percentiles":[50,90]}`},

	// Delivery.
	{endpoint: "sessions.create", request: "POST /sessions", status: 201, rows: one("sessions"),
		body: `{"assignment":"as-1","device":{"kind":"kiosk","screen":[1280,800]},"clientTime":"2026-03-01T08:00:00Z"}`, changed: `{"assignment":"as-1","device":{"kind":"kiosk","screen":[800,1280]},"clientTime":"2026-03-01T08:00:00Z"}`},
	{endpoint: "sessions.answer", request: "PUT /sessions/se-1/answers/it-1", status: 200, rows: one("answers"),
		body: `{"value":{"choice":"a"},"seconds":12}`, changed: `{"value":{"choice":"b"},"seconds":12}`},
	{endpoint: "sessions.submit", request: "POST /sessions/se-1/submit", status: 200,
		body: `{"confirm":true,"unanswered":["it-2"]}`, changed: `{"confirm":true}`},
}
