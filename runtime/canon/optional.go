package canon

import (
	"reflect"
	"strings"
)

// Optional is a member that may be absent. The zero Optional is absent. Its field is tagged omitzero,
// so that encoding/json leaves it out as well.
//
// The value is behind a pointer, so that a struct can hold an Optional of itself.
type Optional[T any] struct{ value *T }

// Some returns an Optional that is present.
func Some[T any](v T) Optional[T] { return Optional[T]{&v} }

// Get returns the value, and whether it is present.
func (o Optional[T]) Get() (T, bool) {
	if o.value == nil {
		var zero T
		return zero, false
	}
	return *o.value, true
}

// IsZero reports whether the member is absent.
func (o Optional[T]) IsZero() bool { return o.value == nil }

// MarshalJSON encodes the value with [Marshal]. Where encoding/json asks for an absent one, in a map or in
// a field that is not tagged omitzero, there must be something: it is null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.value == nil {
		return []byte("null"), nil
	}
	return Marshal(o)
}

// UnmarshalJSON decodes a value that is present with [Unmarshal].
func (o *Optional[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, o) }

// Nullable is a value that may be null. The zero Nullable is null.
//
// The value is behind a pointer, so that a struct can hold a Nullable of itself.
type Nullable[T any] struct{ value *T }

// Of returns a Nullable that is not null.
func Of[T any](v T) Nullable[T] { return Nullable[T]{&v} }

// Get returns the value, and whether there is one: false for null.
func (n Nullable[T]) Get() (T, bool) {
	if n.value == nil {
		var zero T
		return zero, false
	}
	return *n.value, true
}

// IsZero reports whether the value is null.
func (n Nullable[T]) IsZero() bool { return n.value == nil }

// MarshalJSON is [Marshal].
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return Marshal(n) }

// UnmarshalJSON is [Unmarshal].
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, n) }

// Or returns the value of v, an [Optional] or a [Nullable], or other where it is absent or null.
func Or[T any](v interface{ Get() (T, bool) }, other T) T {
	if value, ok := v.Get(); ok {
		return value
	}
	return other
}

// Whatever Optional and Nullable hold, the codec finds them by name and fills them through here: each method of theirs is
// compiled again for every type that a program has them of.

// Hold makes room for a value in v, an addressable Optional or Nullable, and returns that.
func Hold(v reflect.Value) reflect.Value {
	field := v.Field(0)
	room := reflect.New(field.Type().Elem())
	reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(room)
	return room.Elem()
}

func isOptional(t reflect.Type) bool { return isInstance(t, "Optional[") }
func isNullable(t reflect.Type) bool { return isInstance(t, "Nullable[") }

func isInstance(t reflect.Type, prefix string) bool {
	return t.PkgPath() == valueType.PkgPath() && strings.HasPrefix(t.Name(), prefix)
}
