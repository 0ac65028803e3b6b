package storetest

// Rules are what every store obeys. A rule whose check is answers stands for its cells in [Cells].
var Rules = []Rule{
	// What Begin answers.
	{"absent-key-is-reserved", "the first request with a key must run", answers},
	{"live-lease-is-in-progress", "a duplicate must not run while the first may be running", answers},
	{"conflict-in-flight", "another payload must be told so at once, not to try again", answers},
	{"conflict-after-lease", "a key means its first payload, whatever became of it", answers},
	{"conflict-after-finalize", "another payload must not get the first one's answer", answers},
	{"lease-over-is-unknown", "leased work may have run, so that nobody runs it again unasked", answers},
	{"take-over-needs-the-fence", "who takes over must have seen this owner fail, and not an earlier one", answers},
	{"joined-is-never-unknown", "a transaction that did not commit did nothing, and its key must not be stuck", answers},
	{"finalized-is-replayed", "a retry must get the first result", answers},
	{"tombstone-is-told", "work that was done must not run again because its answer could not be kept", answers},
	{"past-retention-is-new", "a record that was not swept yet must not outlive its retention", answers},

	// Races.
	{"race-has-one-winner", "two attempts must never both run", raceHasOneWinner},
	{"take-over-has-one-winner", "two attempts must never both take over", takeOverHasOneWinner},

	// Repeating a verb whose acknowledgement was lost.
	{"begin-repeats", "an owner whose Begin was not acknowledged must not be its own duplicate", beginRepeats},
	{"renew-repeats", "a heartbeat that was not acknowledged is sent again", renewRepeats},
	{"finalize-repeats", "a result that was not acknowledged is sent again", finalizeRepeats},
	{"release-repeats", "a release that was not acknowledged is sent again", releaseRepeats},

	// Ownership.
	{"renew-needs-the-token", "a late owner must learn that it lost", renewNeedsTheToken},
	{"finalize-needs-the-token", "a late owner must not end another one's attempt", finalizeNeedsTheToken},
	{"release-needs-the-token", "a late owner must not free what another one is working on", releaseNeedsTheToken},
	{"result-is-final", "every retry must get the same answer", resultIsFinal},
	{"owner-outlives-its-lease", "work that took too long and was not taken over still has its one result", ownerOutlivesItsLease},
	{"mode-is-the-owners", "leased work must not pass for joined work because an earlier owner was joined", modeIsTheOwners},
	{"released-key-is-free", "released work did not happen, and any request may use its key", releasedKeyIsFree},

	// Time.
	{"renew-counts-from-now", "a heartbeat must buy a whole lease", renewCountsFromNow},
	{"renew-zero-ends-the-lease", "an owner that gave up must not block its retry for a lease", renewZeroEndsTheLease},
	{"expiry-counts-from-finalize", "long work must not use up the time that its result is kept", expiryCountsFromFinalize},
	{"keep-zero-is-not-none", "a result without a retention of its own must not be gone at once", keepZeroIsNotNone},
	{"sweep-spares-the-living", "what a sweep removes runs again", sweepSparesTheLiving},
	{"sweep-keeps-to-its-limit", "one long sweep holds up every request", sweepKeepsToItsLimit},
	{"fence-never-goes-back", "a business write that compares fences must refuse the late owner, always", fenceNeverGoesBack},
	{"answers-tell-the-time", "only the store's clock can say how long ago something was", answersTellTheTime},

	// What is kept.
	{"header-lines-stay-lines", "two Link or Set-Cookie lines joined by a comma are another response", headerLinesStayLines},
	{"bytes-survive", "a replay has the first response's bytes, text or not", bytesSurvive},
	{"empty-body-is-a-result", "204 must replay, neither run again nor be taken for a tombstone", emptyBodyIsAResult},
	{"keys-are-bytes", "two callers must never share a record because of how their keys are written", keysAreBytes},
	{"fingerprints-are-whole", "records under older rules are told by the bytes before the sum", fingerprintsAreWhole},
	{"slices-are-copied", "a buffer that is used again must not change a stored response", slicesAreCopied},
	{"lookup-tells-what-is-there", "who resolves an unknown by what it is told must be told the truth", lookupTellsWhatIsThere},
	{"lookup-changes-nothing", "looking must not keep an attempt alive or end it", lookupChangesNothing},
	{"full-refuses-new-keys", "a record that makes room for another runs again", fullRefusesNewKeys},
}
