// Package redisstore keeps idempotency records in Redis 5 or later, or Valkey, a single server or a cluster:
// through any client, none of which it imports. The client is one function, [Eval]; with go-redis it is
//
//	eval := func(ctx context.Context, command, script, key string, args []string) (any, error) {
//		words := []any{command, script, 1, key}
//		for _, arg := range args {
//			words = append(words, arg)
//		}
//		return client.Do(ctx, words...).Result()
//	}
//	store := redisstore.New(eval, redisstore.Options{Retention: 24 * time.Hour})
//
// # What Redis can lose
//
// A record that is lost is a key that is new again: a retry runs a second time. The owner of a lost record
// learns of it, because its Finalize and its Renew say [idem.ErrLost]; the second run cannot be taken back. Redis loses
//
//   - what it evicts: set maxmemory-policy to noeviction. Then a full server refuses new keys ([idem.ErrFull]),
//     and goes on to answer, renew and finalize those it has;
//   - what it has not written to disk when it stops: set appendonly yes, and appendfsync always. With everysec, the
//     default, a power cut costs up to two seconds of records, and so can the end of the process alone: Redis puts
//     off its write while a sync is under way (measured: 6 of 487 acknowledged keys, in one crash of ten);
//   - at a failover, what the new master had not received: replication does not wait. min-replicas-to-write
//     narrows the window, and nothing closes it: WAIT, where the client sends it, only tells of it;
//   - what FLUSHALL, FLUSHDB and DEL remove.
//
// [Store.Check] looks at the first two. A service whose effects must not happen twice keeps its records beside
// them, in a database; there is no joined mode here. Only a master is asked: a replica refuses to
// reserve, and what it says is old.
//
// # Memory
//
// A result expires by itself, by the time that Finalize names or else by [Options].Retention. What was reserved and
// never finalized stays, because it may have run: its lease ends, and then its outcome is unknown until
// [Store.Resolve] or a take-over ends it. So each crash of a service in the middle of its work leaves a record of
// about 700 bytes; [Store.Unresolved] lists them. A result takes about 1,000 bytes and its body.
//
// # Keys
//
// A record is one hash under one key: the prefix, and then the digest of its four parts in braces. The braces are a
// hash tag, and so a cluster places the record by the digest alone. It is a SHA-256 over the parts with
// their lengths, because the parts are the users' own bytes: written out, their braces would move the record to
// another slot, and their separators could make two keys one. It also keeps keys short. The record's field
// "key" has the parts themselves.
//
// Each verb is one script, atomic on that key, sent as EVALSHA and, where the server does not know it, as EVAL.
// On a server with access control lists the user needs
//
//	~idem:* +eval +evalsha +time +hmget +hset +del +persist +pexpire
//
// and for Check and Unresolved %R~* +info +scan +cluster|slots.
//
// # The clock
//
// Every instant is the server's TIME, to the microsecond. A fence is above that of the key's record, and of one
// that was released within the last hour; after a result has expired it is the clock, and so above as long as
// no clock is set back by the retention.
package redisstore
