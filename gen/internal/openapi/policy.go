package openapi

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// policy is an x-idempotency object.
type policy struct {
	ir.Policy
	scope []string // nil: not said
}

var operationKeys = []string{"lease", "timeout", "retention", "on-unknown", "max-body", "max-response", "scope"}

var documentKeys = append(slices.Clone(operationKeys), "header", "max-length", "conflict-status")

// readPolicy reads an x-idempotency object, which may be absent.
func (l *loader) readPolicy(n document.Node, at place) (p policy) {
	if n.IsZero() {
		return p
	}
	if !n.IsMapping() {
		l.breaks(ir.LintValue, n, "x-idempotency is "+n.What()+", not a mapping", "write its keys: "+strings.Join(operationKeys, ", "))
		return p
	}
	for key, value := range n.Members() {
		name := key.Spelt()
		switch {
		case at == onOperation && slices.Contains(documentKeys[len(operationKeys):], name):
			l.breaks(ir.LintPlace, key, fmt.Sprintf("%s is the same for a whole document", name), "move it to the document's x-idempotency")
			continue
		case !slices.Contains(documentKeys, name):
			l.breaks(ir.LintMisspelt, key, fmt.Sprintf("x-idempotency has no key %q", name), "use "+strings.Join(keysFor(at), ", "))
			continue
		}
		switch name {
		case "lease":
			p.Lease = l.duration(name, value, time.Second)
		case "timeout":
			p.Timeout = l.duration(name, value, time.Millisecond)
		case "retention":
			p.Retention = l.duration(name, value, time.Second)
		case "max-body":
			p.MaxBody = l.size(name, value)
		case "max-response":
			p.MaxResponse = l.size(name, value)
		case "on-unknown":
			p.OnUnknown = l.oneOf(name, value, "reject", "reexecute", "reconcile")
		case "conflict-status":
			p.ConflictStatus, _ = strconv.Atoi(l.oneOf(name, value, "409", "422"))
		case "max-length":
			p.MaxLength = l.maxLength(value)
		case "header":
			p.Header = l.header(value)
		case "scope":
			p.scope = l.facts(value)
		}
	}
	return p
}

func keysFor(at place) []string {
	if at == onDocument {
		return documentKeys
	}
	return operationKeys
}

// over is p where it says something, and below elsewhere.
func (p policy) over(below policy) policy {
	out := below
	if p.Lease != 0 {
		out.Lease = p.Lease
	}
	if p.Timeout != 0 {
		out.Timeout = p.Timeout
	}
	if p.Retention != 0 {
		out.Retention = p.Retention
	}
	if p.OnUnknown != "" {
		out.OnUnknown = p.OnUnknown
	}
	if p.MaxBody != 0 {
		out.MaxBody = p.MaxBody
	}
	if p.MaxResponse != 0 {
		out.MaxResponse = p.MaxResponse
	}
	if p.scope != nil {
		out.scope = p.scope
	}
	return out
}

var days = regexp.MustCompile(`^([0-9]{1,6})d`)

// duration reads a duration as Go writes them, with days before hours: 1h30m, 7d, 1d12h.
func (l *loader) duration(name string, n document.Node, least time.Duration) time.Duration {
	remedy := "write a duration such as " + n.Spell("30s, 1h30m or 7d", `"30s", "1h30m" or "7d"`)
	text, ok := n.Text()
	if !ok {
		l.breaks(ir.LintValue, n, fmt.Sprintf("%s is %s, not a duration", name, n.What()), remedy)
		return 0
	}
	var total time.Duration
	rest := text
	if m := days.FindStringSubmatch(text); m != nil {
		d, _ := strconv.Atoi(m[1])
		rest = text[len(m[0]):]
		if d > 100*366 { // a time.Duration ends after 292 years
			l.breaks(ir.LintValue, n, fmt.Sprintf("%s %q is longer than a century", name, text), "leave it out if it is to be for ever")
			return 0
		}
		total = time.Duration(d) * 24 * time.Hour
	}
	if rest != "" || total == 0 {
		d, err := time.ParseDuration(rest)
		if err != nil || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
			l.breaks(ir.LintValue, n, fmt.Sprintf("%s %q is not a duration", name, text), remedy)
			return 0
		}
		if d > math.MaxInt64-total {
			l.breaks(ir.LintValue, n, fmt.Sprintf("%s %q is longer than a century", name, text), "leave it out if it is to be for ever")
			return 0
		}
		total += d
	}
	if total < least {
		l.breaks(ir.LintValue, n, fmt.Sprintf("%s %q is too short", name, text), fmt.Sprintf("use at least %s", least))
		return 0
	}
	return total
}

var size = regexp.MustCompile(`^([0-9]{1,15})(|B|KB|MB|GB|KiB|MiB|GiB)$`)

var units = map[string]int64{"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

// maxSize bounds a body, which is held in memory as a whole.
const maxSize = 1 << 30

// size reads a number of bytes: 1MiB, 500KB, 65536.
func (l *loader) size(name string, n document.Node) int64 {
	m := size.FindStringSubmatch(n.Spelt())
	if m == nil {
		l.breaks(ir.LintValue, n, fmt.Sprintf("%s is %s, not a size", name, n.What()), "write a size such as "+n.Spell("1MiB, 500KB", `"1MiB", "500KB"`)+" or a number of bytes")
		return 0
	}
	v, _ := strconv.ParseInt(m[1], 10, 64)
	if v < 1 || v > maxSize/units[m[2]] {
		l.breaks(ir.LintValue, n, fmt.Sprintf("%s %s is out of range", name, n.Spelt()), "use 1 byte to 1GiB")
		return 0
	}
	return v * units[m[2]]
}

func (l *loader) oneOf(name string, n document.Node, values ...string) string {
	if !slices.Contains(values, n.Spelt()) {
		l.breaks(ir.LintValue, n, fmt.Sprintf("%s is %s", name, n.What()), "use one of "+strings.Join(values, ", "))
		return ""
	}
	return n.Spelt()
}

// maxKey bounds max-length: an idempotency key is part of a record's primary key.
const maxKey = 1000

func (l *loader) maxLength(n document.Node) int {
	v, err := strconv.Atoi(n.Spelt())
	if !n.IsNumber() || err != nil || v < 1 || v > maxKey {
		l.breaks(ir.LintValue, n, "max-length is "+n.What(), fmt.Sprintf("use a number of bytes from 1 to %d", maxKey))
		return 0
	}
	return v
}

var fact = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// facts reads the names of facts about who acts, sorted.
func (l *loader) facts(n document.Node) []string {
	if !n.IsList() {
		l.breaks(ir.LintValue, n, "scope is "+n.What()+", not a list of facts", "write a list such as "+n.Spell("[role]", `["role"]`))
		return nil
	}
	out, seen := []string{}, map[string]bool{}
	for _, item := range n.Items() {
		text, ok := item.Text()
		switch {
		case !ok || !fact.MatchString(text):
			l.breaks(ir.LintValue, item, "scope names "+item.What(), "name a fact by a letter and up to 63 letters, digits, dots, hyphens or underscores")
		case seen[text]:
			l.breaks(ir.LintValue, item, fmt.Sprintf("scope names %q twice", text), "remove one")
		default:
			out, seen[text] = append(out, text), true
		}
	}
	slices.Sort(out)
	return out
}
