package lock

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// The file's form.
type (
	fileForm struct {
		Version   int                  `yaml:"version"`
		Canon     int                  `yaml:"canon"`
		Endpoints map[string]entryForm `yaml:"endpoints"`
		Removed   map[string]entryForm `yaml:"removed"`
	}
	entryForm struct {
		Method      string            `yaml:"method"`
		Path        string            `yaml:"path"`
		OperationID string            `yaml:"operationId"`
		Record      string            `yaml:"record"`
		Names       []string          `yaml:"names"`
		PathNames   []string          `yaml:"pathNames"`
		Bodies      map[string]string `yaml:"bodies"`
		Identity    identityForm      `yaml:"identity"`
		Former      []identityForm    `yaml:"former"`
	}
	identityForm struct {
		IgnoredQuery    []string              `yaml:"ignoredQuery"`
		IncludedHeaders []string              `yaml:"includedHeaders"`
		Scope           []string              `yaml:"scope"`
		Body            map[string][]ruleForm `yaml:"body"`
	}
	ruleForm struct {
		Ignore    []string       `yaml:"ignore"`
		Unordered bool           `yaml:"unordered"`
		Members   map[string]int `yaml:"members"`
		Items     int            `yaml:"items"`
		Rest      int            `yaml:"rest"`
	}
)

// damaged is the error of a file that is not what was written.
func damaged(why string) error {
	return fmt.Errorf("%s: take it from version control again, and run idemgen generate", why)
}

// Read reads a lock. It must be just what [File.Print] writes: a lock that was edited by hand proves nothing.
func Read(data []byte) (*File, error) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("<<<<<<<")) || bytes.HasPrefix(line, []byte(">>>>>>>")) {
			return nil, errors.New("it has the marks of a merge conflict: take the deployed side whole, and run idemgen generate")
		}
	}
	var head struct {
		Version int `yaml:"version"`
	}
	twice := yaml.WithUniqueKeys(false) // what stands twice is not what is printed; to list it is quadratic
	if err := yaml.Load(data, &head, twice); err != nil || head.Version == 0 {
		return nil, damaged("it is no lock")
	}
	if head.Version > version {
		return nil, fmt.Errorf("it is of version %d, and this idemgen writes version %d: use the newer idemgen that wrote it", head.Version, version)
	}
	var form fileForm
	if err := yaml.Load(data, &form, yaml.WithKnownFields(), twice); err != nil {
		return nil, damaged("it cannot be read: " + start(err.Error()))
	}
	if form.Canon > Canon {
		return nil, fmt.Errorf("it is of canonical version %d, and this idemgen's is %d: use the newer idemgen that wrote it", form.Canon, Canon)
	}
	f := &File{Canon: form.Canon, Endpoints: entries(form.Endpoints), Removed: entries(form.Removed)}
	if !bytes.Equal(f.Print(), data) || !f.usable() {
		return nil, damaged("it was changed by hand")
	}
	return f, nil
}

// start is the first of a list of errors, in a line.
func start(list string) string {
	first, _, _ := strings.Cut(list, ";")
	return strings.Join(strings.Fields(first), " ")
}

// usable tells whether what is said fits together, which a merge can spoil as well: a key is there or gone, each
// parameter of a path has one first name, and the rules of all tables lead to rules that are there.
func (f *File) usable() bool {
	for key := range f.Removed {
		if f.Endpoints[key] != nil {
			return false
		}
	}
	for _, entries := range []map[string]*Entry{f.Endpoints, f.Removed} {
		for _, e := range entries {
			if len(e.firsts()) != len(params(e.Path)) || twice(e.firsts()) || unusable(e.Identity) || slices.ContainsFunc(e.Former, unusable) {
				return false
			}
		}
	}
	return true
}

func twice(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) < len(names)
}

func unusable(id ir.Identity) bool {
	return slices.ContainsFunc(id.Body, func(b ir.BodyRules) bool {
		wrong := func(rule int) bool { return rule < 0 || rule >= len(b.Rules) }
		return slices.ContainsFunc(b.Rules, func(r ir.Rule) bool {
			return wrong(r.Items) || wrong(r.Rest) || slices.ContainsFunc(r.Members, func(m ir.RuleMember) bool { return m.Rule == 0 || wrong(m.Rule) })
		})
	})
}

func entries(forms map[string]entryForm) map[string]*Entry {
	out := make(map[string]*Entry, len(forms))
	for key, form := range forms {
		e := &Entry{Method: form.Method, Path: form.Path, OperationID: form.OperationID, Record: form.Record,
			Names: form.Names, PathNames: form.PathNames, Bodies: map[string]ir.Form{}, Identity: form.Identity.identity()}
		for mediaType, name := range form.Bodies {
			for f, called := range formNames {
				if called == name {
					e.Bodies[mediaType] = f
				}
			}
		}
		for _, former := range form.Former {
			e.Former = append(e.Former, former.identity())
		}
		out[key] = e
	}
	return out
}

func (form identityForm) identity() ir.Identity {
	id := ir.Identity{IgnoredQuery: form.IgnoredQuery, IncludedHeaders: form.IncludedHeaders, Scope: form.Scope}
	for mediaType, rules := range form.Body {
		b := ir.BodyRules{MediaType: mediaType}
		for _, r := range rules {
			b.Rules = append(b.Rules, r.rule())
		}
		id.Body = append(id.Body, b)
	}
	slices.SortFunc(id.Body, func(a, b ir.BodyRules) int { return strings.Compare(a.MediaType, b.MediaType) })
	return id
}

func (form ruleForm) rule() ir.Rule {
	r := ir.Rule{Ignore: form.Ignore, Unordered: form.Unordered, Items: form.Items, Rest: form.Rest}
	for name, rule := range form.Members {
		r.Members = append(r.Members, ir.RuleMember{Name: name, Rule: rule})
	}
	slices.SortFunc(r.Members, func(a, b ir.RuleMember) int { return strings.Compare(a.Name, b.Name) })
	return r
}
