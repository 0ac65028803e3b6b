package main

import (
	"maps"
	"slices"
)

// leftRows is the last step: every table that the demo has touched, and that no other has changed.
func leftRows(d *demo) {
	left := d.now()
	for _, table := range slices.Sorted(maps.Keys(left)) {
		if table == "events" { // counted by kind
			continue
		}
		if left[table] != d.expected[table] || d.touched[table] {
			d.check(rowsOf(table), d.expected[table], left[table])
		}
	}
}
