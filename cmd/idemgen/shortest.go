package main

// maxEdits bounds the search for the shortest difference, whose time and space grow with its square.
const maxEdits = 1000

// shortest emits the shortest difference of two runs of lines, as Myers finds it ("An O(ND) Difference Algorithm", 1986),
// or all of both where there is none within the bound. A diagonal k is a place in a less a place in b.
func (d *differ) shortest(a, b []string) {
	if len(a) == 0 || len(b) == 0 {
		d.emit('-', a)
		d.emit('+', b)
		return
	}
	most := min(len(a)+len(b), maxEdits)
	reach := make([]int, 2*most+3) // how far in a each diagonal comes
	var rounds [][]int
	for n := 0; n <= most; n++ {
		rounds = append(rounds, append([]int(nil), reach[most+1-n-1:most+1+n+2]...))
		for k := -n; k <= n; k += 2 {
			at := most + 1 + k
			i := reach[at-1] + 1
			if k == -n || k != n && reach[at-1] < reach[at+1] {
				i = reach[at+1]
			}
			j := i - k
			for i < len(a) && j < len(b) && a[i] == b[j] {
				i, j = i+1, j+1
			}
			reach[at] = i
			if i >= len(a) && j >= len(b) {
				d.trace(a, b, rounds)
				return
			}
		}
	}
	d.emit('-', a)
	d.emit('+', b)
}

// trace goes back from the end through the rounds of the search.
func (d *differ) trace(a, b []string, rounds [][]int) {
	var back []edit
	i, j := len(a), len(b)
	for n := len(rounds) - 1; n >= 0; n-- {
		reach, k := rounds[n], i-j
		at := func(k int) int { return reach[k+n+1] }
		from := k - 1
		if k == -n || k != n && at(k-1) < at(k+1) {
			from = k + 1
		}
		start := 0
		if n > 0 {
			start = at(from)
		}
		for i > start && j > start-from && i > 0 && j > 0 && a[i-1] == b[j-1] {
			i, j = i-1, j-1
			back = append(back, edit{' ', a[i]})
		}
		switch {
		case n == 0:
		case from > k:
			j--
			back = append(back, edit{'+', b[j]})
		default:
			i--
			back = append(back, edit{'-', a[i]})
		}
	}
	for n := len(back) - 1; n >= 0; n-- {
		d.edits = append(d.edits, back[n])
	}
}
