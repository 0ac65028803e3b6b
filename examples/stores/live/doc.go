// Package live starts real servers for tests: one of each kind for a test binary, on loopback and in a
// temporary folder, which both go when the binary ends, however it ends.
//
//	func TestMain(m *testing.M) { os.Exit(live.Main(m)) }
//
//	func TestRecords(t *testing.T) {
//		server := live.Postgres(t)
//		pool, err := pgxpool.New(t.Context(), server.DSN("postgres"))
//		…
//
// A server that cannot start, because its programs are not there, skips the test and says why. Under CI=true
// it fails the test: there the servers are part of the machine.
package live
