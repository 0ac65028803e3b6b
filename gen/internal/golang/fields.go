package golang

// fieldNames gives each wire name of one struct a Go field.
func fieldNames[T any](things []T, wire func(T) string) map[string]string {
	var wanted []candidate
	for _, thing := range things {
		w := wire(thing)
		wanted = append(wanted, candidate{id: w, base: fieldBase(w), wire: w})
	}
	return scope{}.allocate(wanted)
}

// fieldBase is the name that a field wants. Extra and the methods are every struct's own.
func fieldBase(wire string) string {
	switch name := exportedName(wire); name {
	case "Extra", "MarshalJSON", "UnmarshalJSON":
		return name + "Field"
	default:
		return name
	}
}
