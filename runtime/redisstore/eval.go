package redisstore

import (
	"context"
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/runtime/idem"
)

// An Eval sends one command to the master that has key and returns its reply:
//
//	command script 1 key args…
//
// command is "EVALSHA", and script a digest, or "EVAL", and script a text; the arguments may hold any bytes. The
// reply is an array of strings, each a string, a []byte or, for a number, an int64, in a []any: what clients make of it.
// An error reply is an error whose text has the server's.
//
// With rueidis it is
//
//	client.Do(ctx, client.B().Arbitrary(command, script, "1").Keys(key).Args(args...).Build()).ToAny()
//
// and with redigo, on a connection of the pool,
//
//	redis.DoContext(conn, ctx, command, redis.Args{script, 1, key}.AddFlat(args)...)
//
// Eval must return when ctx is done, and otherwise after a time of its own: with go-redis set ContextTimeoutEnabled. A
// client may send a command again whose reply was lost: every verb can be repeated.
type Eval func(ctx context.Context, command, script, key string, args []string) (any, error)

// A script is sent by its digest, which is all that a server needs that has seen it before.
type script struct{ text, sha string }

func newScript(parts ...string) script {
	text := strings.Join(parts, "\n")
	sha := sha1.Sum([]byte(text))
	return script{text: text, sha: hex.EncodeToString(sha[:])}
}

var (
	//go:embed clock.lua
	clockText string
	//go:embed record.lua
	recordText string
	//go:embed finalized.lua
	finalizedText string
	//go:embed vacate.lua
	vacateText string

	//go:embed begin.lua
	beginText   string
	beginScript = newScript(clockText, recordText, finalizedText, beginText)
	//go:embed lookup.lua
	lookupText   string
	lookupScript = newScript(clockText, recordText, finalizedText, lookupText)
	//go:embed renew.lua
	renewText   string
	renewScript = newScript(clockText, recordText, renewText)
	//go:embed finalize.lua
	finalizeText   string
	finalizeScript = newScript(finalizeText)
	//go:embed release.lua
	releaseText   string
	releaseScript = newScript(recordText, vacateText, releaseText)
	//go:embed resolve.lua
	resolveText   string
	resolveScript = newScript(clockText, recordText, vacateText, resolveText)
	//go:embed unresolved.lua
	unresolvedText   string
	unresolvedScript = newScript(clockText, unresolvedText)
	//go:embed masters.lua
	mastersText   string
	mastersScript = newScript(mastersText)
	//go:embed check.lua
	checkText   string
	checkScript = newScript(checkText)
)

// run runs a script on the master that has key.
func (s *Store) run(ctx context.Context, sc script, key string, args ...string) (reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer, err := s.eval(ctx, "EVALSHA", sc.sha, key, args)
	// Clients and adapters wrap the server's words. Where others are taken for these, a verb is repeated.
	if err != nil && strings.Contains(err.Error(), "NOSCRIPT") {
		answer, err = s.eval(ctx, "EVAL", sc.text, key, args)
	}
	switch {
	case err != nil && strings.Contains(err.Error(), "OOM command not allowed"):
		return nil, fmt.Errorf("%w: %w", idem.ErrFull, err)
	case err != nil:
		return nil, err
	}
	r, ok := answer.([]any)
	if !ok {
		return nil, fmt.Errorf("the reply is a %T, not an array", answer)
	}
	return r, nil
}
