// Package canon holds no code. Its tests put the canonical form of runtime/canon beside two RFC 8785
// libraries, github.com/gowebpki/jcs and github.com/cyberphone/json-canonicalization: where all must
// agree, byte for byte, on seeded random documents; and where those round numbers and it is exact.
// Its benchmark compares their speed:
//
//	go test -bench . ./canon
package canon
