package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen"
)

// formats write findings of the given rules.
var formats = map[string]func(io.Writer, []finding, []gen.LintRule) error{"text": asText, "json": asJSON, "sarif": asSARIF, "github": asGitHub}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// asText is a line each, with the rule at its end.
func asText(w io.Writer, found []finding, _ []gen.LintRule) error {
	for _, f := range found {
		p := f.Problem
		if f.Note {
			p.What = "note: " + p.What
		}
		if _, err := fmt.Fprintf(w, "%s [%s]\n", p, f.Rule); err != nil {
			return err
		}
	}
	return nil
}

// asJSON is a list of objects.
func asJSON(w io.Writer, found []finding, _ []gen.LintRule) error {
	type object struct {
		Rule    string `json:"rule"`
		Level   string `json:"level"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		At      string `json:"at"`
		Message string `json:"message"`
		Remedy  string `json:"remedy"`
	}
	all := []object{}
	for _, f := range found {
		all = append(all, object{f.Rule, level(f.Note), f.File, f.Line, f.Col, f.At, f.What, f.Remedy})
	}
	return indented(w, all)
}

func indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// message is what a finding says, without its place.
func message(f finding) string {
	return gen.Problem{What: f.What, Remedy: f.Remedy}.String()
}

// asGitHub is a workflow command each, which GitHub shows beside the line.
// See https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
func asGitHub(w io.Writer, found []finding, _ []gen.LintRule) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range found {
		command := "error"
		if f.Note {
			command = "notice"
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", command, property.Replace(f.File), max(f.Line, 1), max(f.Col, 1),
			property.Replace("idemgen "+f.Rule), data.Replace(message(f)))
		if err != nil {
			return err
		}
	}
	return nil
}

// object is a JSON object; its members are sorted.
type object = map[string]any

// asSARIF is a log of the Static Analysis Results Interchange Format, version 2.1.0.
func asSARIF(w io.Writer, found []finding, known []gen.LintRule) error {
	rules, index := []object{}, map[string]int{}
	for i, r := range known {
		index[r.ID] = i
		rules = append(rules, object{
			"id":                   r.ID,
			"shortDescription":     object{"text": r.What},
			"fullDescription":      object{"text": r.What + ": " + r.Why},
			"help":                 object{"text": r.Mend},
			"defaultConfiguration": object{"level": level(r.Note)},
		})
	}
	results := []object{}
	for _, f := range found {
		result := object{
			"ruleId": f.Rule, "ruleIndex": index[f.Rule], "level": level(f.Note), "message": object{"text": message(f)},
			"locations": []object{{
				"physicalLocation": object{
					"artifactLocation": object{"uri": uri(f.File)},
					"region":           object{"startLine": max(f.Line, 1), "startColumn": max(f.Col, 1)},
				},
				"logicalLocations": []object{{"fullyQualifiedName": f.At}},
			}},
		}
		results = append(results, result)
	}
	return indented(w, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "idemgen", "rules": rules}},
			"columnKind": "unicodeCodePoints",
			"results":    results,
		}},
	})
}

// uri is a path as SARIF wants it: relative to where the command runs, or a file URL.
func uri(file string) string {
	u := url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
