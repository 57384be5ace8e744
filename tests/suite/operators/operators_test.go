// SPDX-License-Identifier: MIT

package operators

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/spv"
)

// every reduces the number of cases of an operator, which differ in types.
var every = flag.Int("every", 12, "run one case in N, but at least one for each operator")

// exceptions maps cases for which lavapipe's results differ to the reason; * matches any type.
var exceptions = map[string]string{}

func exception(name string) string {
	op, _, _ := strings.Cut(name, "/")
	if why := exceptions[name]; why != "" {
		return why
	}
	return exceptions[op+"/*"]
}

// TestInterpreterAgrees runs at least one case of every operator on lavapipe, and on the interpreter
// before and after all passes.
func TestInterpreterAgrees(t *testing.T) {
	cases := Cases()
	if len(cases) < 300 {
		t.Errorf("%d cases", len(cases))
	}
	device := lavapipe.Need(t)
	used := map[string]bool{}
	seen := map[string]bool{}
	for _, c := range cases {
		op, _, _ := strings.Cut(c.Name, "/")
		if first := !seen[op] && !sample.Soaking(); !first && !sample.One(*every, c.Name) {
			continue
		}
		seen[op] = true
		why := exception(c.Name)
		used[why] = true
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			module, err := oracle.GLSL(t, "comp", []byte(c.Source))
			if err != nil {
				t.Fatalf("%v\n%s", err, c.Source)
			}
			theirs := onLavapipe(t, device, &c, module)
			if bytes.Equal(theirs, buffers(&c)[len(c.Inputs)]) {
				t.Fatalf("the shader writes nothing\n%s", c.Source)
			}
			for _, lowered := range []bool{false, true} {
				ours := onInterpreter(t, &c, module, lowered)
				at := Compare(&c, ours, theirs)
				switch {
				case at >= 0 && why == "":
					n := c.Output.Bits / 8
					t.Errorf("lowered %v: element %d (invocation %d): interpreter %s, lavapipe %s\n%s", lowered, at, at*Lanes/c.Len,
						hex.EncodeToString(ours[at*n:][:n]), hex.EncodeToString(theirs[at*n:][:n]), c.Source)
				case at < 0 && why != "":
					t.Errorf("agrees, but is listed as disagreeing: %s", why)
				}
			}
		})
	}
	for name, why := range exceptions {
		if *every == 1 && !used[why] {
			t.Errorf("exception %s names no case", name)
		}
	}
}

// buffers returns the case's buffers at the start: inputs, the output filled with
// ones, and one buffer for scratch data.
func buffers(c *Case) [][]byte {
	var out [][]byte
	for _, b := range c.Inputs {
		out = append(out, append([]byte(nil), b...))
	}
	o := make([]byte, c.Len*c.Output.Bits/8)
	for i := range o {
		o[i] = 1
	}
	return append(out, o, make([]byte, 1<<13))
}

func onLavapipe(t *testing.T, d *lavapipe.Device, c *Case, module []byte) []byte {
	words, err := spv.Words(module)
	if err != nil {
		t.Fatal(err)
	}
	bufs := buffers(c)
	call := &lavapipe.Dispatch{Words: words, Groups: [3]uint32{1, 1, 1}}
	for i, b := range bufs {
		call.Bindings = append(call.Bindings, lavapipe.Binding{Binding: uint32(i), Data: b})
	}
	if err := d.Run(call); err != nil {
		t.Fatal(err)
	}
	return bufs[len(c.Inputs)]
}

func onInterpreter(t *testing.T, c *Case, module []byte, lowered bool) []byte {
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Shader(s); err != nil {
		t.Fatal(err)
	}
	if lowered {
		p := pass.New(s)
		if err := p.Run(pipeline.Optimize, nil); err != nil {
			t.Fatal(err)
		}
	}
	bufs := buffers(c)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 16}
	for i, b := range bufs {
		call.Buffers = append(call.Buffers, interp.Buffer{Binding: uint32(i), Data: b})
	}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatal(err)
	}
	return bufs[len(c.Inputs)]
}
