package gen

import (
	"errors"
	"io/fs"

	"github.com/idemgen/idemgen/gen/internal/annotate"
	"github.com/idemgen/idemgen/gen/internal/golang"
	"github.com/idemgen/idemgen/gen/internal/openapi"
)

// AnnotateConfig says what to annotate.
type AnnotateConfig struct {
	Spec string // the document's name in the file system: slashes, relative to its root
	// KeyStyle is what endpoint keys are made of: KeysFromPath, which is also the default, or KeysFromOperationID.
	KeyStyle string
	// Exempt are operations that get x-idempotency-exempt instead: "METHOD:/path=reason".
	Exempt []string
}

// Styles of endpoint keys.
const (
	KeysFromPath        = string(annotate.FromPath)
	KeysFromOperationID = string(annotate.FromOperationID)
)

// Annotations are the edits of a document that bring the extension to it.
type Annotations struct {
	Files    []EditedFile // those that change, by name
	Keyed    int          // operations that get an endpoint key
	Exempted int          // operations that get a reason why they need none
	Notes    []Problem    // what is there already, stays, and is not what it should be
	Refused  Problems     // operations that are left as they are, each with what to do
}

// An EditedFile is a file of the document, before and after.
type EditedFile struct {
	Name     string
	Old, New []byte
}

// ErrAnnotateConfig is matched by the errors of a wrong AnnotateConfig.
var ErrAnnotateConfig = errors.New("wrong use")

type configError struct{ what string }

func (e configError) Error() string        { return e.what }
func (e configError) Is(target error) bool { return target == ErrAnnotateConfig }

// Annotate proposes an endpoint key for each mutating operation of a document that has neither that nor
// x-idempotency-exempt, and adds the header parameter and the responses that go with it. Every other byte of its files
// stays. An operation that cannot have a key is refused, and the others get theirs. A document that cannot be read is
// refused whole. A second run changes nothing.
func Annotate(fsys fs.FS, cfg AnnotateConfig) (Annotations, error) {
	if cfg.KeyStyle == "" {
		cfg.KeyStyle = KeysFromPath
	}
	if cfg.KeyStyle != KeysFromPath && cfg.KeyStyle != KeysFromOperationID {
		return Annotations{}, configError{"the key style is " + KeysFromPath + " or " + KeysFromOperationID}
	}
	out, err := annotate.Run(fsys, annotate.Config{
		Spec:   cfg.Spec,
		Style:  annotate.Style(cfg.KeyStyle),
		Exempt: cfg.Exempt,
		Names:  golang.OperationNames,
		Template: func(path string) (what, remedy string) {
			_, what, remedy = openapi.Template(path)
			return what, remedy
		},
	})
	var wrong annotate.UsageError
	if errors.As(err, &wrong) {
		return Annotations{}, configError{wrong.What}
	}
	if err != nil {
		return Annotations{}, err
	}
	a := Annotations{Keyed: out.Keyed, Exempted: out.Exempted, Notes: problemsOf(out.Notes), Refused: problemsOf(out.Refused)}
	for _, f := range out.Files {
		a.Files = append(a.Files, EditedFile(f))
	}
	return a, nil
}
