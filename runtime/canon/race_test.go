//go:build race

package canon_test

const raceDetector = true
