// Package canon decides when two JSON documents are the same, and reads and writes JSON without losing
// what that depends on.
//
// [Append] is the decision: two documents are the same exactly where it makes the same bytes of them.
//
//	{"amount": 1.50, "currency": "EUR"}  and  {"currency":"EUR","amount":1.5}
//
// are one, while 9007199254740993 and 9007199254740992 are two, as are [1,2] and [2,1], and as are an
// absent member, null and "". [Rules] name the exceptions: members that say nothing about what is
// meant, arrays that are sets. The form is RFC 8785 with exact numbers.
//
// # Reading and writing
//
// encoding/json fills a field cents from a member CENTS, takes the last of two members with one name,
// drops undeclared ones, leaves a zero for a null or an absent one, and rounds. [Unmarshal] and
// [Marshal] do not: what Marshal makes of a decoded document is the same document. A type gets there
// with two lines, and then encoding/json reads and writes it in the same way:
//
//	func (v Order) MarshalJSON() ([]byte, error)     { return canon.Marshal(v) }
//	func (v *Order) UnmarshalJSON(data []byte) error { return canon.Unmarshal(data, v) }
//
// They take these types, and types defined over them:
//   - string and bool, int, int32, int64, uint, uint32, uint64. No floats: [Number] is a number as it was
//     sent, [Integer] a whole one of any size;
//   - [Value], any JSON value as it was sent;
//   - slices, maps with string keys, pointers (never null), structs without embedded fields;
//   - [Optional] fields of structs, for members that may be absent, and [Nullable] for what may be null.
//
// A field is a required member with the name that its json tag says, unless it is an Optional. An option
// omitzero on another field lets the member be absent, and leaves a zero value out: nothing is lost with a
// slice, which is nil where the member was absent and empty where it was [], but a string that was "" is
// absent afterwards. A name that a tag cannot spell is put in single quotes, as in
// encoding/json/v2: `json:"'a,b'"`. A field
//
//	Extra canon.Extra `json:"-"`
//
// (or another map with string keys) holds the undeclared members; a struct without one refuses them.
//
// A type with a method Enum() []Value has only the values that it lists, in that spelling, so that they
// can be compared with constants. A type defined over Number, Integer or Value is taken for a string,
// unless its Enum has other values or a method tells:
//
//	type Rate canon.Number
//	func (r Rate) Number() canon.Number { return canon.Number(r) }
package canon
