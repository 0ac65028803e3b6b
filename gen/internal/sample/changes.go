package sample

import (
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// parameterChanges changes each parameter in turn. Those that the identity leaves out make the same
// request.
func (d *draft) parameterChanges() (changed, same []Change) {
	for _, part := range []struct {
		name   string
		values []*value
	}{{"path", d.path}, {"query", d.query}, {"header", d.header}} {
		for _, v := range part.values {
			if len(v.others) == 0 {
				continue // only one value is possible
			}
			was := v.texts
			v.texts = v.others[:1]
			c := Change{part.name + "." + v.param.Name, d.request()}
			v.texts = was
			if v.param.Ignore {
				same = append(same, c)
			} else {
				changed = append(changed, c)
			}
		}
	}
	return changed, same
}

func (d *draft) bodyChanges(depths depths) (changed, same []Change) {
	if d.body == nil {
		return nil, nil
	}
	if d.json != nil {
		changed, same = d.jsonChanges()
	} else {
		changed = append(changed, Change{"body", d.requestWith("two")})
	}
	if c, ok := d.typeChange(depths); ok {
		changed = append(changed, c)
	}
	if !d.op.Required {
		without := *d
		without.body, without.json, without.opaque = nil, nil, ""
		changed = append(changed, Change{"body left out", without.request()})
	}
	return changed, same
}

// jsonChanges changes each leaf in turn, then what may differ without being another request.
func (d *draft) jsonChanges() (changed, same []Change) {
	var unordered []Change
	d.json.visit("body", false, func(path string, ignored bool, n *node) {
		switch {
		case ignored:
			if l := n.changeable(); l != nil {
				l.with(l.others[0], func() { same = append(same, Change{path, d.request()}) })
			}
		case n.kind == leaf && len(n.others) > 0:
			n.with(n.others[0], func() { changed = append(changed, Change{path, d.request()}) })
		case n.unordered && len(n.items) > 1:
			slices.Reverse(n.items)
			unordered = append(unordered, Change{path + " in another order", d.request()})
			slices.Reverse(n.items)
		}
	})
	same = append(same, unordered...)
	return changed, append(same, Change{"body in another spelling", d.requestWith(d.json.respelt())})
}

// typeChange sends the body as another media type, where the operation takes several.
func (d *draft) typeChange(depths depths) (Change, bool) {
	other := *d
	if all := concrete(d.op, d.body); len(all) > 1 {
		other.mediaType = all[1]
		return Change{"type", other.request()}, true
	}
	i := slices.IndexFunc(d.op.Bodies, func(b *ir.Body) bool { return b != d.body })
	if i < 0 {
		return Change{}, false
	}
	other.useBody(d.op.Bodies[i], depths)
	return Change{"type " + other.mediaType, other.request()}, true
}
