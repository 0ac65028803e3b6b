package canon_test

import (
	"encoding/json"
	"fmt"

	"github.com/idemgen/idemgen/runtime/canon"
)

func ExampleAppend() {
	for _, doc := range []string{
		`{"amount": 1.50, "currency": "EUR"}`,
		`{"currency":"\u0045UR","amount":15e-1}`,
		`{"amount":9007199254740993}`,
		`{"amount":1,"amount":2}`,
	} {
		form, err := canon.Append(nil, []byte(doc), nil)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(string(form))
	}
	// Output:
	// {"amount":1.5,"currency":"EUR"}
	// {"amount":1.5,"currency":"EUR"}
	// {"amount":9007199254740993}
	// error: duplicate member name at /amount (byte 12)
}

// A client's clock says nothing about what is meant, and tags are a set.
func ExampleRules() {
	rules := canon.Rules{
		{Ignore: []string{"clientTime"}, Members: []canon.Member{{Name: "tags", Rule: 1}}},
		{Unordered: true},
	}
	form, err := canon.Append(nil, []byte(`{"tags":["new","blue"],"clientTime":"12:00","name":"x"}`), rules)
	fmt.Println(string(form), err)
	// Output: {"name":"x","tags":["blue","new"]} <nil>
}

// Order is what the generator writes for a schema.
type Order struct {
	ID       int64                                  `json:"id"`
	Amount   canon.Number                           `json:"amount"`
	Assignee canon.Optional[canon.Nullable[string]] `json:"assignee,omitzero"`
	Lines    []string                               `json:"lines"`
	Extra    canon.Extra                            `json:"-"`
}

func (v Order) MarshalJSON() ([]byte, error)     { return canon.Marshal(v) }
func (v *Order) UnmarshalJSON(data []byte) error { return canon.Unmarshal(data, v) }

func ExampleUnmarshal() {
	var o Order
	err := json.Unmarshal([]byte(`{"id":7.0,"amount":1.10,"assignee":null,"lines":[],"LINES":[1, 2]}`), &o)
	if err != nil {
		fmt.Println(err)
		return
	}
	assignee, present := o.Assignee.Get()
	fmt.Println(o.ID, o.Amount, "present:", present, "null:", assignee.IsZero(), "extra:", o.Extra["LINES"])

	fmt.Println(canon.Unmarshal([]byte(`{"id":7.5,"amount":1,"lines":[]}`), &o))
	fmt.Println(canon.Unmarshal([]byte(`{"id":7,"amount":1}`), &o))
	// Output:
	// 7 1.10 present: true null: true extra: [1, 2]
	// a fraction where a whole number is wanted at /id (byte 6)
	// member "lines" is missing (byte 0)
}

func ExampleMarshal() {
	b, err := canon.Marshal(Order{
		ID:       7,
		Amount:   "1.10",
		Assignee: canon.Some(canon.Of("zoe")),
		Extra:    canon.Extra{"note": `{"by":"hand"}`},
	})
	fmt.Println(string(b), err)
	// Output: {"id":7,"amount":1.10,"assignee":"zoe","lines":[],"note":{"by":"hand"}} <nil>
}

// A member that is one of several types arrives as a Value.
func ExampleValue_Decode() {
	payment := canon.Value(`{"iban":"DE02 1203 0000 0000 2020 51"}`)
	var transfer struct {
		IBAN string `json:"iban"`
	}
	var card struct {
		Number string `json:"number"`
	}
	fmt.Println(payment.Decode(&card))
	fmt.Println(payment.Decode(&transfer), transfer.IBAN)
	// Output:
	// member is not declared at /iban (byte 1)
	// <nil> DE02 1203 0000 0000 2020 51
}

func ExampleNumber_Cmp() {
	limit := canon.Number("100.00")
	fmt.Println(canon.Number("1e2").Cmp(limit), canon.Number("100.000000000000000000001").Cmp(limit))
	// Output: 0 1
}
