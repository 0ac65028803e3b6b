package annotate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
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
		if key, ok := op.Node.Get("x-idempotency-endpoint").Text(); ok {
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
	patched map[string]bool // paths with a PATCH
	things  map[string]bool // paths of what is there, whatever they are called: it is deleted, or there are many of it
}

func newNamer(all []*operation) *namer {
	n := &namer{map[string]bool{}, map[string]bool{}}
	for _, op := range all {
		switch op.Method {
		case "PATCH":
			n.patched[op.template()] = true
		case "DELETE":
			n.things[op.template()] = true
		}
		if i := strings.LastIndexByte(op.template(), '/'); i > 0 && strings.HasPrefix(op.template()[i:], "/{") && strings.HasSuffix(op.template(), "}") {
			n.things[op.template()[:i]] = true
		}
	}
	return n
}

// levels are what proposals tell apart, from the shortest to the longest.
var levels = []detail{
	0, trailing, versions, method, trailing | versions, trailing | method, versions | method, everything,
	everything | versions, everything | versions | method,
}

// key is the proposal of a level; beyond the last, all are told apart.
func (n *namer) key(op *operation, style Style, level int) string {
	r := n.route(op)
	d := levels[min(level, len(levels)-1)]
	words := r.words(d)
	if id := idWords(op.Node.Get("operationId").Spelt()); style == FromOperationID && id != "" {
		if level == 0 {
			return fit(id, op)
		}
		words = append([]string{id}, words...)
	}
	if level < len(levels) {
		return fit(join(words, r.does(op, d)), op)
	}
	return cut(join(words, r.verb), digest(op, level-len(levels)+1))
}

func join(words []string, verb string) string {
	return strings.Join(append(slices.Clone(words), verb), ".")
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
	sum := sha256.Sum256([]byte(op.Method + " " + op.template()))
	return hex.EncodeToString(sum[:])[:min(4+4*length, 64)]
}
