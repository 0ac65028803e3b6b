package golang

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// quote is a Go string literal: in backquotes where that saves escapes and hides no character.
func quote(s string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) && strings.IndexFunc(s, hidden) < 0 {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// text is a string literal.
func text(s string) *jen.Statement { return jen.Op(quote(s)) }

// texts is a []string literal.
func texts(ss []string) *jen.Statement {
	return jen.Index().String().Values(textList(ss)...)
}

func textList(ss []string) []jen.Code {
	var out []jen.Code
	for _, s := range ss {
		out = append(out, text(s))
	}
	return out
}

// duration is a duration as a person writes it: 10 * time.Second.
func duration(d time.Duration) *jen.Statement {
	for _, u := range []struct {
		size time.Duration
		name string
	}{
		{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
		{time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"},
	} {
		if d%u.size != 0 {
			continue
		}
		unit := jen.Qual("time", u.name)
		switch n := int(d / u.size); {
		case n == 1:
			return unit
		case u.size == time.Hour && n%24 == 0 && n > 24:
			return jen.Lit(n / 24).Op("*").Lit(24).Op("*").Add(unit)
		default:
			return jen.Lit(n).Op("*").Add(unit)
		}
	}
	return jen.Lit(int(d)).Op("*").Qual("time", "Nanosecond")
}

// size is a number of bytes: 1 << 20 rather than 1048576.
func size(n int64) *jen.Statement {
	for _, shift := range []int{30, 20, 10} {
		if n > 0 && n%(1<<shift) == 0 {
			return jen.Op(fmt.Sprintf("%d << %d", n>>shift, shift))
		}
	}
	return jen.Op(strconv.FormatInt(n, 10))
}

// lines is a composite literal's braces with each item on its own line.
func lines(items ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, items...)
}
