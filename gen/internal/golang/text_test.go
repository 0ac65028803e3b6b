package golang

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dave/jennifer/jen"
)

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Second: "time.Second", 10 * time.Second: "10 * time.Second", 90 * time.Second: "90 * time.Second",
		2 * time.Minute: "2 * time.Minute", 24 * time.Hour: "24 * time.Hour", 30 * 24 * time.Hour: "30 * 24 * time.Hour",
		1500 * time.Millisecond: "1500 * time.Millisecond", 7: "7 * time.Nanosecond",
	} {
		if got := fmt.Sprintf("%#v", duration(d)); got != want {
			t.Errorf("duration(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{1 << 20: "1 << 20", 64 << 10: "64 << 10", 5 << 30: "5 << 30", 1000: "1000", 1025: "1025"} {
		if got := fmt.Sprintf("%#v", size(n)); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 30) // 150 columns
	for text, want := range map[string][]string{
		"":              nil,
		"- + #":         {"- + #"},
		"short":         {"short"},
		"+build ignore": {"build ignore"},
		long:            {strings.TrimSpace(strings.Repeat("word ", 19)), strings.TrimSpace(strings.Repeat("word ", 11))},
		long + long:     {strings.TrimSpace(strings.Repeat("word ", 19)), strings.TrimSpace(strings.Repeat("word ", 19)) + " …"},
	} {
		if got := wrap(text, 2); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("wrap(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**auLocal**": "auLocal.", "**auLocal**:\n* **auBsbCode**: a code\n* a **b c** d": "auLocal: * auBsbCode: a code * a b c d.",
		"x**2 + y**2": "x**2 + y**2.", "**a": "**a.", "a** b **c": "a** b **c.", "***a***": "*a*.", "____": "____.", "**": "**.", "": "",
		"- a\n- `b`": "- a - `b`.", "Ends here.*": "Ends here.*", "(So it does.)": "(So it does.)", "And so on…": "And so on…", "*/ **/**": "*/ /.",
		"<p>Pay a <a href=\"/x\">bill</a>.</p>\n<p>Once.<br>Or <STRONG>more</STRONG>?</p>": "Pay a bill. Once. Or more?", "<ul><li>a</li><li>b</li></ul>": "a b.",
		"<id> of <b>": "<id> of <b>.", "<id> of <b>b</b>, List<T>": "<id> of b, List<T>.", "<b></b>": "", "<b></b>*/": "*/.",
		"person_document_specs": "", "a_b c": "a_b c.", "a_": "a_.",
	} {
		if got := prose(text); got != want {
			t.Errorf("prose(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzComment: whatever a description holds, its comment is lines that begin with "// ", and nothing else.
func FuzzComment(f *testing.F) {
	f.Add(evil)
	f.Add("**+build** ignore")
	f.Add("+**+build** ignore")
	f.Add("<b></b>+build ignore <br> +<i>build</i>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range wrap(prose(text), typeLines) {
			code := fmt.Sprintf("%#v", jen.Add(commentLine(line)))
			if !strings.HasPrefix(code, "// ") || strings.HasPrefix(code, "// +build") || strings.ContainsAny(code, "\r\n\u0085\u2028\u2029\u202e\ufeff") {
				t.Errorf("%q gives %q", text, code)
			}
		}
	})
}

// FuzzQuote: a literal says the text again, shows every character, and is one token.
func FuzzQuote(f *testing.F) {
	f.Add(evil)
	f.Add(`{"a":"b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		literal := quote(text)
		if got, err := strconv.Unquote(literal); got != text || err != nil {
			t.Errorf("quote(%q) = %s", text, literal)
		}
		files := token.NewFileSet()
		var s scanner.Scanner
		s.Init(files.AddFile("", files.Base(), len(literal)), []byte(literal), nil, 0)
		if _, tok, lit := s.Scan(); tok != token.STRING || lit != literal || strings.ContainsAny(literal, "\r\u202e\ufeff") {
			t.Errorf("quote(%q) is %s %s", text, tok, lit)
		}
	})
}
