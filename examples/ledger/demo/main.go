// Demo shows that the ledger cannot write twice. It builds the service, starts it as a process of its
// own on loopback with a SQLite file in a temporary folder, and plays the part of a client that
// retries, races, changes its payload, hangs up, and kills the server with SIGKILL at the worst moments.
// It prints what was expected beside what was seen, and exits with 1 where they differ.
//
//	go run ./ledger/demo
//
// The client is plain net/http: nothing of the generated package is in it.
package main

import (
	"fmt"
	"os"
)

func main() {
	red, err := run()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	case red > 0:
		fmt.Printf("\n%d of the checks are RED\n", red)
		os.Exit(1)
	default:
		fmt.Println("\nEverything was seen as expected.")
	}
}

// run plays all steps against the service as it should be and says how many checks failed.
func run() (red int, err error) {
	folder, err := os.MkdirTemp("", "ledger-demo-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	fmt.Println("Building the ledger and starting it on loopback.")
	binary, err := build(folder)
	if err != nil {
		return 0, err
	}
	d, err := newDemo(binary, folder, "", os.Stdout)
	if err != nil {
		return 0, err
	}
	defer d.close()
	for _, s := range steps {
		red += d.play(s)
	}
	red += d.play(rowCounts)
	if log, err := os.ReadFile(d.log()); err == nil && red > 0 {
		fmt.Printf("\nThe server's log:\n%s", log)
	}
	return red, nil
}
