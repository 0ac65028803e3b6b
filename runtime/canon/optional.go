package canon

import "reflect"

// Optional is a member that may be absent. The zero Optional is absent. Its field is tagged omitzero,
// so that encoding/json leaves it out as well.
//
// The value is behind a pointer, so that a struct can hold an Optional of itself.
type Optional[T any] struct{ value *T }

// Some returns an Optional that is present.
func Some[T any](v T) Optional[T] { return Optional[T]{&v} }

// Set makes the member present.
func (o *Optional[T]) Set(v T) { o.value = &v }

// Get returns the value, and whether it is present.
func (o Optional[T]) Get() (T, bool) {
	if o.value == nil {
		var zero T
		return zero, false
	}
	return *o.value, true
}

// Or returns the value, or what to use where it is absent.
func (o Optional[T]) Or(absent T) T {
	if o.value == nil {
		return absent
	}
	return *o.value
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

func (o *Optional[T]) set() reflect.Value {
	o.value = new(T)
	return reflect.ValueOf(o.value).Elem()
}

func (*Optional[T]) optional() {}

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

// Or returns the value, or what to use in the place of null.
func (n Nullable[T]) Or(null T) T {
	if n.value == nil {
		return null
	}
	return *n.value
}

// IsZero reports whether the value is null.
func (n Nullable[T]) IsZero() bool { return n.value == nil }

// MarshalJSON is [Marshal].
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return Marshal(n) }

// UnmarshalJSON is [Unmarshal].
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, n) }

func (n *Nullable[T]) set() reflect.Value {
	n.value = new(T)
	return reflect.ValueOf(n.value).Elem()
}

func (*Nullable[T]) nullable() {}

// What Optional and Nullable are to the codec, whatever they hold. set makes room for a value.
type (
	holder   interface{ set() reflect.Value }
	optional interface {
		holder
		optional()
	}
	nullable interface {
		holder
		nullable()
	}
)
