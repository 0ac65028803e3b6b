//go:build !race

package canon_test

const raceDetector = false
