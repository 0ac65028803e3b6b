package storetest

// Rules are what every store obeys. A rule whose check is answers stands for its cells in [Cells]. The rules about
// what is unresolved are for stores that are an [idem.Resolver].
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

	// Listing and settling what is unknown.
	{"unresolved-lists-the-unknown", "what is not listed is stuck for ever, and nothing else is to be settled", unresolvedListsTheUnknown},
	{"unresolved-tells-what-it-was", "who looks for what became of work must know which request's, and of when", unresolvedTellsWhatItWas},
	{"unresolved-keys-are-bytes", "a key that is listed otherwise than it is cannot be settled", unresolvedKeysAreBytes},
	{"unresolved-pages-lose-nothing", "settling one page must not hide records of the next", unresolvedPagesLoseNothing},
	{"unresolved-keeps-to-its-limit", "after an outage there are more of them than a program wants at once", unresolvedKeepsToItsLimit},
	{"resolve-finalizes", "once somebody knows the result, every retry must get it", resolveFinalizes},
	{"resolve-keeps-from-now", "the retry that waited for somebody to settle it must still find the result", resolveKeepsFromNow},
	{"resolve-releases", "work that was not done must be free to run", resolveReleases},
	{"resolve-needs-the-fence", "what somebody found out is about one attempt, not about a later one", resolveNeedsTheFence},
	{"resolve-settles-the-unknown-only", "an attempt that is alive, or has its result, tells the truth itself", resolveSettlesTheUnknownOnly},
	{"resolve-repeats", "a settlement that was not acknowledged is sent again", resolveRepeats},
	{"resolved-is-final", "two people who settle a record differently must not both believe it", resolvedIsFinal},
	{"resolve-ends-the-attempt", "a late owner must learn that its result is not the one that is replayed", resolveEndsTheAttempt},
	{"resolve-or-take-over-wins", "a record must not be settled while somebody begins its work again", resolveOrTakeOverWins},
}
