package idem

import (
	"context"
	"fmt"
	"reflect"

	"github.com/idemgen/idemgen/runtime/internal/probe"
)

// function is a typed handler's function, whose payload type is a value.
type function struct {
	fn      reflect.Value
	payload reflect.Type
}

var (
	contextType  = reflect.TypeFor[context.Context]()
	responseType = reflect.TypeFor[*Response]()
	errorType    = reflect.TypeFor[error]()
)

// functionOf takes a function of the types before, and then a payload, that returns a response and an error. It panics
// where fn is none.
func functionOf(op *Operation, fn any, before ...reflect.Type) function {
	v := reflect.ValueOf(fn)
	if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() {
		panic(fmt.Sprintf("idem: %s: the handler is %T, not a function", operationName(op), fn))
	}
	t := v.Type()
	fits := !t.IsVariadic() && t.NumIn() == len(before)+1 && t.NumOut() == 2 && t.Out(0) == responseType && t.Out(1) == errorType
	for i, want := range before {
		fits = fits && t.In(i) == want
	}
	if !fits {
		panic(fmt.Sprintf("idem: %s: a handler takes %v and a payload, and returns (*idem.Response, error): %v does not", operationName(op), before, t))
	}
	return function{v, t.In(len(before))}
}

func operationName(op *Operation) string {
	if op == nil {
		return "no operation"
	}
	return string(op.Endpoint)
}

// call runs the function. Those of its arguments that are neither the context nor the payload are between them.
func (f function) call(ctx context.Context, payload any, between ...reflect.Value) (r *Response, err error) {
	in := append([]reflect.Value{reflect.ValueOf(ctx)}, between...)
	in = append(in, reflect.ValueOf(payload))
	failed := probe.Do(ctx, func() {
		out := f.fn.Call(in)
		r = out[0].Interface().(*Response)
		err, _ = out[1].Interface().(error)
	})
	if failed != nil {
		return nil, failed
	}
	return r, err
}
