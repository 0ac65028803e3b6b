package idem

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"sync"

	"github.com/idemgen/idemgen/runtime/canon"
)

// identityDigests holds the digest of each identity: identities never change.
var identityDigests sync.Map // *Identity -> [4]byte

// identityDigest returns the first bytes of the SHA-256 of id's canonical text. A record made under
// other rules is told by it.
func identityDigest(id *Identity) [4]byte {
	if digest, known := identityDigests.Load(id); known {
		return digest.([4]byte)
	}
	sum := sha256.Sum256(appendIdentity(nil, id))
	digest := [4]byte(sum[:4])
	identityDigests.Store(id, digest)
	return digest
}

// appendIdentity appends the canonical text of an identity table. Records outlive programs: this text
// never changes.
func appendIdentity(dst []byte, id *Identity) []byte {
	dst = append(dst, `{"ignoredQuery":`...)
	dst = appendTexts(dst, id.IgnoredQuery)
	dst = append(dst, `,"includedHeaders":`...)
	dst = appendTexts(dst, id.IncludedHeaders)
	dst = append(dst, `,"scope":`...)
	dst = appendTexts(dst, id.Scope)
	dst = append(dst, `,"body":[`...)
	for i := range id.Body {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"mediaType":`...)
		dst = appendText(dst, id.Body[i].MediaType)
		dst = append(dst, `,"rules":`...)
		dst = appendRules(dst, id.Body[i].Rules)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// appendRules appends the rules that can be reached from the root, numbered in the order they are met:
// how a generator numbers them is no part of their meaning.
func appendRules(dst []byte, rules canon.Rules) []byte {
	var met []int // old numbers, by new one
	number := func(old int) int {
		if old == 0 {
			return 0 // none
		}
		if i := slices.Index(met, old); i >= 0 {
			return i
		}
		met = append(met, old)
		return len(met) - 1
	}
	dst = append(dst, '[')
	if len(rules) > 0 {
		met = append(met, 0)
	}
	for i := 0; i < len(met); i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		rule := rules[met[i]]
		dst = append(dst, `{"ignore":`...)
		dst = appendTexts(dst, rule.Ignore)
		dst = append(dst, `,"unordered":`...)
		dst = strconv.AppendBool(dst, rule.Unordered)
		dst = append(dst, `,"members":[`...)
		for j, member := range rule.Members {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '[')
			dst = appendText(dst, member.Name)
			dst = append(dst, ',')
			dst = strconv.AppendInt(dst, int64(number(member.Rule)), 10)
			dst = append(dst, ']')
		}
		dst = append(dst, `],"items":`...)
		dst = strconv.AppendInt(dst, int64(number(rule.Items)), 10)
		dst = append(dst, `,"rest":`...)
		dst = strconv.AppendInt(dst, int64(number(rule.Rest)), 10)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, text)
	}
	return append(dst, ']')
}
