// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/oracle"
)

// TestVerifiedWhenLarge: every check runs on compiled programs, even if the product of registers and blocks, or an
// array's length, is large.
func TestVerifiedWhenLarge(t *testing.T) {
	var ifs strings.Builder // one after the other, with a store each
	ifs.WriteString("#version 450\nlayout(local_size_x = 16) in;\nlayout(set = 0, binding = 0) buffer B { uint a[]; };\n" +
		"void main() {\n\tuint x = a[gl_LocalInvocationIndex];\n")
	for i := range 3000 {
		fmt.Fprintf(&ifs, "\tif (x > %du) { a[x + %du] = x; x ^= %du; }\n", i*7, i, i*13+5)
	}
	ifs.WriteString("\ta[gl_LocalInvocationIndex] = x;\n}\n")
	array, err := os.ReadFile("testdata/verified/private_2048.comp")
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string][]byte{"ifs": []byte(ifs.String()), "array": array} {
		module, err := oracle.GLSL(t, "comp", source)
		if err != nil {
			t.Fatal(err)
		}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{SIMD: 16, Verify: true})
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case len(p.Unchecked) > 0:
			t.Errorf("%s: not checked: %q", name, p.Unchecked)
		case name == "array" && p.Variants[0].Stats.Sends > 1000:
			t.Errorf("%d messages: the dead stores are left", p.Variants[0].Stats.Sends)
		}
	}
}
