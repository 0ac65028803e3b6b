package annotate

import "strings"

// These lists say which words are something that is done. They decide about proposals only: a key that is in a document
// stays.

// verbs are something that is done wherever a path ends with one.
var verbs = strings.Fields(`
accept acknowledge activate add allocate append apply approve archive assign attach authenticate authorise authorize ban
bind block calculate cancel capture claim clear clone close collect commit compare compile complete compute confirm connect
consume convert copy create deactivate decline decrypt delete deny deploy deprecate detach disable disallow disconnect
discontinue dismiss dispatch drop duplicate edit emit enable encrypt enqueue enrol enroll estimate evaluate exchange exclude execute
expire explain expunge extend fetch finalise finalize find finish fix follow force forget freeze fulfil fulfill fund generate
get grant hide ignore import include increment initialise initialize initiate insert install introspect invalidate invite
invoke join kick launch leave lint load lock login logout make mark merge migrate modify move mute notify pause pay ping
pin poll predict prepare process promote prorate provision publish purge put query read reactivate reassign rebuild
recalculate receive recompute reconcile recover redeem redeliver refresh regenerate register reindex reinstate reject remind
remove rename render renew reopen reorder reparent replace replay replicate reprocess reroute rerun resend reset resolve
restart restore resubmit resume retire retrieve retry reveal revert revoke rollback rotate run save search seed select send
set settle share show shutdown sign signin signout signup simulate skip snooze split start stop submit subscribe suspend swap
sync synchronise synchronize terminate toggle transition trigger truncate unarchive unassign unban unblock undo unfollow
unfreeze uninstall unlink unlock unmute unpause unpin unpublish unregister unshare unstar unsubscribe unsuspend untag
update upgrade upload upsert validate verify void wait withdraw write
`)

// both are the name of a thing as well. They are something that is done where they stand behind one thing:
// /payments/{id}/refund.
var both = strings.Fields(`
abort advance answer audit backup bid boost challenge charge check comment debit deposit dispute download dump escalate export
flag fail fork forward hash heartbeat hold issue like link list log lookup open order override patch payout preview pull push quote ratify
recall record redact refund release repair repeat reply report request return reversal reverse review schedule score ship
signal star tag test touch track transfer transform translate trial view vote watch
`)

// kinds are verbs that name a kind of thing where they stand before many: login_links, check-runs.
var kinds = strings.Fields(`add block claim exchange import join load login merge process query run search set sign start swap trigger`)
