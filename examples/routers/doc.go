// Package routers has one small service on each router that idemgen routes knows, guarded in all the ways that there
// are, and the same services with their guards forgotten. Its test reads both.
package routers
