package annotate

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// maxKey is the longest endpoint key, in bytes.
const maxKey = 120

// keys chooses an endpoint key for each open operation. all are those of the document, whose keys are taken. Which
// operation gets which key depends on the set of operations alone, never on their order: where several want one, each
// of them gets a longer one.
func (a *annotator) keys(all, open []*operation) map[*operation]string {
	taken := map[string]bool{}
	for _, op := range all {
		if key, ok := op.node.Get("x-idempotency-endpoint").Text(); ok {
			for _, name := range a.cfg.Names(key) {
				taken[name] = true
			}
		}
	}
	n := newNamer(all)
	level := map[*operation]int{}
	for {
		keys, users := map[*operation]string{}, map[string][]*operation{}
		for _, op := range open {
			keys[op] = n.key(op, a.cfg.Style, level[op])
			for _, name := range a.cfg.Names(keys[op]) {
				users[name] = append(users[name], op)
			}
		}
		again := map[*operation]bool{}
		for name, ops := range users {
			for _, op := range ops {
				if len(ops) > 1 || taken[name] {
					again[op] = true
				}
			}
		}
		if len(again) == 0 {
			return keys
		}
		for op := range again {
			level[op]++
		}
	}
}

// namer makes endpoint keys.
type namer struct {
	prefix int             // segments that all paths start with and that say nothing
	patch  map[string]bool // paths with a PATCH
}

// saysNothing are the segments that a path starts with before it comes to the point: versions, and what stands by them.
var saysNothing = regexp.MustCompile(`(?i)^(api|rest|v[0-9]+([._-]?[0-9a-z]+)*|[0-9]{4}-[0-9]{2}-[0-9]{2})$`)

func newNamer(all []*operation) *namer {
	n := &namer{patch: map[string]bool{}}
	var common []string
	for i, op := range all {
		if op.method == "PATCH" {
			n.patch[op.path] = true
		}
		segments := strings.Split(strings.TrimPrefix(op.path, "/"), "/")
		if i == 0 {
			common = segments[:len(segments)-1] // the last one is what it is about
		}
		common = common[:min(len(common), len(segments)-1)]
		for j := range common {
			if common[j] != segments[j] {
				common = common[:j]
				break
			}
		}
	}
	for n.prefix < len(common) && saysNothing.MatchString(common[n.prefix]) {
		n.prefix++
	}
	return n
}

// key is the proposal of a level: the first that nobody else wants is taken, and each level tells more apart.
func (n *namer) key(op *operation, style Style, level int) string {
	words, params, verb := n.path(op)
	if id := idWords(op.node.Get("operationId").Spelt()); style == FromOperationID && id != "" {
		if level == 0 {
			return fit(id, op)
		}
		words, params = append([]string{id}, words...), append([]string{id}, params...)
	}
	method := strings.ToLower(op.method)
	switch level {
	case 0:
		return fit(join(words, verb), op)
	case 1:
		return fit(join(params, verb), op)
	case 2:
		return fit(join(words, verb+"-"+method), op)
	case 3:
		return fit(join(params, verb+"-"+method), op)
	}
	return cut(join(params, verb), digest(op, level-3))
}

func join(words []string, verb string) string {
	return strings.Join(append(append([]string{}, words...), verb), ".")
}

// fit shortens a key that is too long, and keeps it apart from what is shortened alike.
func fit(key string, op *operation) string {
	if len(key) <= maxKey {
		return key
	}
	return cut(key, digest(op, 1))
}

func cut(key, end string) string {
	most := maxKey - len(end) - 1
	if len(key) > most {
		key = strings.TrimRight(key[:most], "._-")
	}
	return key + "-" + end
}

// digest tells an operation from every other one, the better the longer it is.
func digest(op *operation, length int) string {
	sum := sha256.Sum256([]byte(op.method + " " + op.path))
	return hex.EncodeToString(sum[:])[:min(4+4*length, 64)]
}
