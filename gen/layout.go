package gen

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	processors "runtime"
	"slices"
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

// formatted is a file in its layout. Only its head, which ends with the imports, needs more than gofmt does; to
// give the whole to imports.Process would print it twice. A file without imports may have no such head.
func formatted(f golang.File) (File, error) {
	const end = "\n)\n"
	head, body := f.Data, []byte(nil)
	if at := bytes.Index(f.Data, []byte(end)); at >= 0 {
		head, body = f.Data[:at+len(end)], f.Data[at+len(end):]
	}
	data, err := imports.Process(f.Name, head, &imports.Options{
		FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8,
	})
	if err != nil {
		return File{}, fmt.Errorf("format %s: %w", f.Name, err)
	}
	if body = bytes.TrimSpace(body); len(body) > 0 {
		if body, err = format.Source(body); err != nil {
			return File{}, fmt.Errorf("format %s: %w", f.Name, err)
		}
		data = slices.Concat(data, []byte("\n"), body, []byte("\n"))
	}
	return File{Name: f.Name, Data: data}, nil
}
