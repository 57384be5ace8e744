package matchgen

import (
	"bytes"
	"regexp"
)

var (
	operandLine = regexp.MustCompile(`(?m)^\s*([xa]\d+) := .*\n`)
	name        = regexp.MustCompile(`\b[xa]\d+\b`)
)

// Prune drops the operands that a matcher's code reads from the shader and does
// not use.
func Prune(code []byte) []byte {
	for {
		uses := map[string]int{}
		for _, n := range name.FindAll(code, -1) {
			uses[string(n)]++
		}
		out := operandLine.ReplaceAllFunc(code, func(line []byte) []byte {
			if n := operandLine.FindSubmatch(line)[1]; uses[string(n)] > 1 {
				return line
			}
			return nil
		})
		if bytes.Equal(out, code) {
			return out
		}
		code = out
	}
}
