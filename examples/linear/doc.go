// Package linear holds the stores to what they promise when many callers act at once. It has tests only.
//
// TestLinearizable runs random clients against a store, with leases and retentions so short that they end all
// the time, records what each was told and when, and asks github.com/anishathalye/porcupine whether the verbs
// could have happened one after the other, each at some moment between its call and its answer, on a small
// model of a record. TestCheckerRejects has the checker find seeded defects, so that its silence means something.
//
//	go test ./linear -run TestLinearizable -histories 1000 -for 10m -timeout 15m
//
// TestZombie pauses whole processes beyond their lease, and resumes them.
package linear
