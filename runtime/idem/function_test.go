package idem_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// What is no handler of the operation is refused when the program starts.
func TestAHandlerHasOneForm(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var none idem.Func[transferPayload]
	for name, fn := range map[string]any{
		"not a function": "fn", "nil": nil, "a nil function": none,
		"no context":        func(transferPayload) (*idem.Response, error) { return nil, nil },
		"no payload":        func(context.Context) (*idem.Response, error) { return nil, nil },
		"a transaction":     func(context.Context, int, transferPayload) (*idem.Response, error) { return nil, nil },
		"another result":    func(context.Context, transferPayload) (idem.Response, error) { return idem.Response{}, nil },
		"no error":          func(context.Context, transferPayload) *idem.Response { return nil },
		"variadic":          func(context.Context, ...transferPayload) (*idem.Response, error) { return nil, nil },
		"no payload struct": func(context.Context, string) (*idem.Response, error) { return nil, nil },
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "idem: transfers.create: ") {
					t.Errorf("%s: %s", name, text)
				}
			}()
			idem.Handle(b.svc, transferOperation(), fn)
		}()
	}
	type named func(context.Context, transferPayload) (*idem.Response, error)
	if idem.Handle(b.svc, transferOperation(), named(created)) == nil {
		t.Error("a named function type is refused")
	}
}
