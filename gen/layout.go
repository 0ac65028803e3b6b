package gen

import (
	"errors"
	"fmt"
	processors "runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/imports"

	"github.com/idemgen/idemgen/gen/internal/golang"
)

// layOut formats files as gofmt does, with their imports in groups, as many at a time as there are processors. It
// looks for no imports: those are complete, and looking would read the disk.
func layOut(printed []golang.File) ([]File, error) {
	files, errs := make([]File, len(printed)), make([]error, len(printed))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(processors.GOMAXPROCS(0), len(printed)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(printed); i = int(next.Add(1)) - 1 {
				files[i], errs[i] = formatted(printed[i])
			}
		})
	}
	group.Wait()
	return files, errors.Join(errs...)
}

func formatted(f golang.File) (File, error) {
	data, err := imports.Process(f.Name, f.Data, &imports.Options{
		FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8,
	})
	if err != nil {
		return File{}, fmt.Errorf("format %s: %w", f.Name, err)
	}
	return File{Name: f.Name, Data: data}, nil
}
