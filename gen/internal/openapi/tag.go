package openapi

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// discriminator is what tells the branches of a oneOf or anyOf apart, as it stands in the document.
type discriminator struct {
	property string
	mapping  document.Node
}

// discriminatorOf is that of a schema; false where it has none.
func discriminatorOf(n document.Node) (discriminator, bool) {
	d := n.Get("discriminator")
	property, ok := d.Get("propertyName").Text()
	return discriminator{property, d.Get("mapping")}, ok && property != ""
}

// tags is what the member says for the schema that a reference names: what is mapped to it, or else, where nothing is
// mapped at all, the schema's name.
func (d discriminator) tags(ref string) []string {
	if ref == "" {
		return nil
	}
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	var out []string
	for key, to := range d.mapping.Members() {
		if text, _ := to.Text(); text == ref || text == name {
			out = append(out, key.Spelt())
		}
	}
	if len(out) == 0 && d.mapping.Len() == 0 {
		return []string{name}
	}
	slices.Sort(out)
	return out
}

// ownTag gives an object the tag that a schema maps to it of which it is one by allOf. Where it is that schema itself, all
// that is mapped will do.
func (c *converter) ownTag(t *ir.Type, s *shape) {
	for i, v := range s.parts {
		d, ok := discriminatorOf(v.node)
		if !ok || t.Ref == "" || i == 0 && d.mapping.Len() == 0 {
			continue
		}
		all := d.tags(t.Ref)
		if len(all) == 0 && i == 0 {
			for key := range d.mapping.Members() {
				all = append(all, key.Spelt())
			}
			slices.Sort(all)
		}
		if len(all) > 0 {
			t.Tag, t.Tags = d.property, [][]string{all}
			return
		}
	}
}
