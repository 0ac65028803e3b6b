package annotate

import "strings"

// verbs are words that say what is done, wherever a path ends with one. both are words that name a thing as well: they
// say what is done where they stand behind one thing, /payments/{id}/refund. The lists decide about proposals only;
// a key that is in a document stays.
var verbs = strings.Fields(`
accept acknowledge activate add allocate append apply approve archive assign attach authenticate authorize
authorise ban begin bind block bulk calculate cancel capture check claim clear clone close commit compare compile complete
compute confirm connect consume convert copy create deactivate decline decrypt delete deny deploy detach deprecate disable
disallow disconnect discontinue dismiss dispatch drop duplicate edit emit enable encrypt end enqueue enroll enrol
evaluate exchange execute expire explain extend finalize finalise find finish fix follow force forget freeze fulfill fulfil
generate get grant hide ignore import increment initialize initialise initiate insert install introspect
invalidate invite invoke issue join kick launch leave lint list load lock login logout make mark
merge migrate modify move mute notify open pause pay ping pin poll predict prepare preview process promote prorate
provision publish purge put query read reactivate reassign rebuild recalculate receive recompute reconcile recover redeem
redeliver refresh register regenerate reindex reinstate reject release remind remove rename render renew reopen reorder reparent
replay replace replicate reprocess request-new reroute rerequest rerun resend reset resolve restart restore resubmit resume
retire retrieve retry revert revoke rollback rotate run save scan schedule-now seed select send set settle share show
shutdown sign signin signout signup simulate skip snooze split start stop store submit subscribe suspend swap sync
synchronize tag-now terminate toggle track-now transition trigger truncate unarchive unassign unban unblock unfollow unfreeze
uninstall unlink unlock unmute unpause unpin unpublish unregister unshare unstar unsubscribe unsuspend untag update upgrade
upload upsert validate verify view void wait watch withdraw write
`)

var both = strings.Fields(`
abort advance answer audit backup bid boost charge comment debit deposit dispute download dump escalate
export flag fork hash heartbeat hold like link log lookup mandate order override patch payout pull push
quote reauthorization ratify recall record redact refund repeat repair reply report request return reversal reverse review
schedule score search ship signal star star stage submit tag test touch track transfer transform translate trial vote
`)
