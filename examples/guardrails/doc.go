// Package guardrails holds the ledger's guardrails to what they are for: each of a list of faults in its document or its
// code turns one of them red, and without a fault all are green.
package guardrails
