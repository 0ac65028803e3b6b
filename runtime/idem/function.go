package idem

import (
	"context"
	"fmt"
	"reflect"
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

func (f function) call(payload any, before ...reflect.Value) (*Response, error) {
	out := f.fn.Call(append(before, reflect.ValueOf(payload)))
	err, _ := out[1].Interface().(error)
	return out[0].Interface().(*Response), err
}
