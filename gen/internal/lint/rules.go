package lint

import "github.com/idemgen/idemgen/gen/internal/ir"

// Rule is what lint looks at, and why.
type Rule struct {
	ID     ir.LintID
	Note   bool // it is legal, and worth knowing
	What   string
	Why    string
	Mend   string
	Policy string // where the policy asks for it
}

// Rules are all rules, in the order of the README.
var Rules = []Rule{
	{ir.LintUnkeyed, false, "a write operation is neither keyed nor exempt", "a retry runs it twice", "give it x-idempotency-endpoint, or x-idempotency-exempt with a reason", "where a key is required"},
	{ir.LintExemptReason, false, "an exemption has no reason", "nobody can review what is not said", "say in words why the operation needs no key", "where a key is required: exemptions"},
	{ir.LintExemptKeyed, false, "an exempt operation has an endpoint key, or the header", "clients send a key that guards nothing", "take off the one or the other", "document: absent on explicit exemptions"},
	{ir.LintSafeMethod, false, "a key or the header on GET, HEAD, OPTIONS, TRACE or QUERY", "what changes nothing can be repeated as it is", "remove it", "where a key is required"},
	{ir.LintHeaderMissing, false, "a keyed operation does not declare the header", "clients do not know that they have to send it", "refer to the one header parameter, or name your own as header in x-idempotency", "document: one reusable parameter"},
	{ir.LintHeaderInline, false, "the header is written out in an operation or a path", "copies drift apart", "move it to components/parameters and refer to it", "document: defined once and referenced"},
	{ir.LintHeaderTwice, false, "the header is defined, or referred to, twice", "two definitions drift apart", "keep one", "document: defined once and referenced"},
	{ir.LintHeaderOption, false, "the header is not required", "generated clients leave it out and get 400", "mark it required", "document: marked required"},
	{ir.LintHeaderLength, false, "the header has no maxLength, or one over the limit", "clients make keys that are refused", "give it the maxLength in force, 200 unless x-idempotency says otherwise", "request contract: at most 200 characters"},
	{ir.LintHeaderCase, false, "the header has other letter case than the one in force", "generated clients and mocks compare names by letter", "write the name in force", "request contract: header"},
	{ir.LintResponse, false, "a keyed operation does not document 400 or 409 (or 422, where conflict-status says so)", "clients cannot tell a conflict from a fault", "refer to shared responses; idemgen annotate writes them", "document: conflict and in-progress responses"},
	{ir.LintResponseCode, false, "such a response has no member code", "idempotency_conflict and idempotency_in_progress share the status 409: code alone tells them apart", "declare code in the response's schema", "request contract: codes"},
	{ir.LintReplayHeader, true, "no response documents Idempotent-Replayed", "clients cannot know that an answer is a replay", "declare the header Idempotent-Replayed on the responses of success", "request contract: replayed"},
	{ir.LintNoEndpoint, false, "no operation has an endpoint key", "there is nothing to generate", "mark the operations that are to be safe to retry", "where a key is required"},
	{ir.LintEndpoint, false, "an endpoint key is malformed", "it is in every record and names Go code", "use lower-case words of a-z and 0-9 joined by dots, hyphens or underscores, at most 120 bytes", "handler standard: endpoint keys"},
	{ir.LintEndpointTwice, false, "two operations share an endpoint key", "a key sent to one would be a conflict on the other", "give each operation a key of its own", "handler standard: endpoint keys, one per handler"},
	{ir.LintEndpointName, false, "two endpoint keys give one Go name", "the generated package could not have both", "rename the one that has no records yet", "handler standard: endpoint keys"},
	{ir.LintMisspelt, false, "an x-idempotency extension, or a key of x-idempotency, is misspelt", "it would be ignored in silence", "write the name that is proposed", "intent"},
	{ir.LintValue, false, "an extension has a value of the wrong type or out of range", "it would mean something else than was said", "write the value that is asked for", "intent"},
	{ir.LintPlace, false, "an extension stands where it means nothing", "what it was to say is not done", "move it to where it is read, or remove it", "handler standard: payload"},
	{ir.LintEventStream, false, "a keyed operation answers with text/event-stream", "a stream cannot be stored and replayed", "answer with a whole document, or exempt the operation", "intent: replay"},
	{ir.LintStreaming, true, "a keyed operation answers part by part (NDJSON, JSON sequences, itemSchema)", "the response is held back until it is complete and stored", "know it, or exempt the operation", "intent: replay"},
	{ir.LintNothing, true, "a keyed operation has no path parameter, no query and no body", "all its requests are the same: a reused key always replays", "know it", "handler standard: payload"},
	{ir.LintRoute, false, "a path that no request has, or two that one request can match", "nobody can tell which operation a request is of", "write each path so that it can be told apart", "handler standard: endpoint keys"},
	{ir.LintDocument, false, "the document cannot be used: all else that generate refuses", "no code can be made of it", "do what the message says; this rule cannot be switched off", "document"},
}

// ByID is the rule of this name.
func ByID(id ir.LintID) (Rule, bool) {
	for _, r := range Rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}
