// Package faults holds the guarantees to account while things die. It has tests only: a worker process serves one
// operation in lease mode and in joined mode, with an effect in the store's own backend, and is killed at every step of
// a request ([the crash matrix] of the README), loses its store in every way that can be staged, and is load-tested while
// faults fall at random:
//
//	go test -run TestSoak -v -timeout 1h ./faults -soak 10m
//
// The worker is the test binary itself, started again. It listens on loopback, and ends with the test that started it,
// however that ends.
//
// A backend is one row of a table: how to start it, how a worker opens it, and how its effects are counted.
//
// [the crash matrix]: https://github.com/idemgen/idemgen#guarantees-and-their-limits
package faults
