package ir

// Problem is something wrong in a document: where, what, and what to do about it.
type Problem struct {
	Pos    Pos
	What   string // "x-idempotency-endpoint \"Orders Create\" is not an endpoint key"
	Remedy string // "use lower-case words joined by dots"
	Lint   LintID // the rule of lint that is broken; empty: LintDocument
}

// LintID names a rule of lint. The names are part of the command's interface: people switch them off and keep
// lists of them. Package lint says what each one means.
type LintID string

// The rules of lint.
const (
	LintUnkeyed       LintID = "unkeyed"
	LintExemptReason  LintID = "exempt-reason"
	LintExemptKeyed   LintID = "exempt-keyed"
	LintSafeMethod    LintID = "safe-method"
	LintHeaderMissing LintID = "header-missing"
	LintHeaderInline  LintID = "header-inline"
	LintHeaderTwice   LintID = "header-twice"
	LintHeaderOption  LintID = "header-optional"
	LintHeaderLength  LintID = "header-length"
	LintHeaderCase    LintID = "header-case"
	LintResponse      LintID = "response-missing"
	LintResponseCode  LintID = "response-code"
	LintReplayHeader  LintID = "replay-header"
	LintNoEndpoint    LintID = "endpoint-none"
	LintEndpoint      LintID = "endpoint-malformed"
	LintEndpointTwice LintID = "endpoint-twice"
	LintEndpointName  LintID = "endpoint-name"
	LintMisspelt      LintID = "extension-misspelt"
	LintValue         LintID = "extension-value"
	LintPlace         LintID = "extension-place"
	LintEventStream   LintID = "event-stream"
	LintStreaming     LintID = "streaming"
	LintNothing       LintID = "nothing-to-hash"
	LintRoute         LintID = "route"
	LintDocument      LintID = "document"
)
