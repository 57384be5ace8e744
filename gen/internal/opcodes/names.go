// SPDX-License-Identifier: MIT

package opcodes

import (
	"go/token"
	"regexp"
	"strings"

	"jacquard.example/gen/internal/eval"
)

var opName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func isOpName(s string) bool { return opName.MatchString(s) }

func isExported(s string) bool { return token.IsIdentifier(s) && token.IsExported(s) }

var conversionWord = regexp.MustCompile(`^([iufb])2([iufb])(\d*)$`)

// wholeWords are the words that the rule would split wrongly.
var wholeWords = map[string]string{
	"unpack": "Unpack", "find": "Find", "fine": "Fine", "frexp": "Frexp", "insert": "Insert",
	"bit": "Bit", "bitfield": "Bitfield", "bfi": "Bfi", "bfm": "Bfm", "unorm": "Unorm",
	"sdot": "SDot", "sudot": "SUDot",
}

// goName derives the exported name of an opcode. Each word between underscores
// starts with a capital; a first letter that denotes the type of a source or of
// the result is a separate word (iadd IAdd, bcsel BCsel, f2i32 F2I32). An
// underscore that separates digits is kept (umul_2x32_64 UMul2x32_64).
func goName(o *Op) string {
	letters := map[byte]bool{}
	for _, s := range append([]Operand{o.Out}, o.Srcs...) {
		switch s.Base {
		case eval.Bits:
			letters['i'], letters['b'] = true, true
		default:
			letters[s.Base.String()[0]] = true
		}
	}
	var b strings.Builder
	prev := byte(0)
	for _, w := range strings.Split(o.Name, "_") {
		if m := conversionWord.FindStringSubmatch(w); m != nil {
			w = strings.ToUpper(m[1]) + "2" + strings.ToUpper(m[2]) + m[3]
		} else if whole := wholeWords[w]; whole != "" {
			w = whole
		} else if len(w) > 2 && letters[w[0]] {
			w = strings.ToUpper(w[:1]) + title(w[1:])
		} else {
			w = title(w)
		}
		if isDigit(prev) && isDigit(w[0]) {
			b.WriteByte('_')
		}
		b.WriteString(w)
		prev = w[len(w)-1]
	}
	return b.String()
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
