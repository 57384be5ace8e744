// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"hash/fnv"
	"path/filepath"
	"reflect"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// eachScriptShader calls fn for the module of every shader of tests/amber.
func eachScriptShader(t *testing.T, fn func(name string, module []byte)) {
	files := scripts.Files(t, "../../amber/*.amber")
	for _, file := range files {
		script := scripts.Read(t, file)
		for _, s := range script.Shaders {
			module, err := moduleBytes(t, s)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			fn(filepath.Base(file)+" "+s.Name, module)
		}
	}
}

// TestMachineIR: the text of machine IR after every pass, at every width, reads back to the same text. The text also
// compiles to the shader's code, with its figures and its ABI; this is tried after some passes of every shader at each
// width, and after all passes of some shaders at 16 lanes: for the default target, and for one of the others in turn.
func TestMachineIR(t *testing.T) {
	all := jacquard.Passes()
	last := len(all) - 1
	texts, went := 0, map[string]int{}
	eachScriptShader(t, func(shader string, module []byte) {
		h := fnv.New32a()
		h.Write([]byte(shader))
		first := int(h.Sum32() % 1000)
		others := target.All[1:]
		for k := range 2 * len(widths) {
			on := target.All[0]
			if k%2 == 1 {
				on = others[(first+k/2)%len(others)]
			}
			machine, simd := on.Name, on.Widths[k/2%len(on.Widths)]
			shader := shader + " for " + machine
			written := map[string][]byte{}
			want, err := jacquard.Compile(t.Context(), module,
				jacquard.Options{Target: jacquard.Target(machine), SIMD: simd, Trace: func(s *jacquard.Step) {
					if s.SIMD == 0 {
						return
					}
					texts++
					text := s.Text()
					if u, err := mirtext.Parse(text, nil); err != nil {
						t.Errorf("%s, SIMD%d after %s: %v", shader, simd, s.Pass, err)
					} else if again := mirtext.Print(u); !bytes.Equal(text, again) {
						t.Errorf("%s, SIMD%d after %s: printed again\n%s\ninstead of\n%s", shader, simd, s.Pass, again, text)
					}
					for i, name := range all[:last] {
						if s.Pass == name && ((first+k+i)%5 == 0 || simd == 16 && first%10 == 0) {
							written[name] = text
						}
					}
				}})
			if err != nil {
				continue // TestCounts and TestAmber know which
			}
			for name, text := range written {
				went[name]++
				got, err := jacquard.Compile(t.Context(), text, jacquard.Options{})
				want.Variants[0].Stats.BoundsChecks = 0 // passes on the IR make them
				switch {
				case err != nil:
					t.Errorf("%s, SIMD%d after %s: %v", shader, simd, name, err)
				case !bytes.Equal(got.Variants[0].Code, want.Variants[0].Code):
					t.Errorf("%s, SIMD%d after %s: the code is another", shader, simd, name)
				case !reflect.DeepEqual(got, want):
					t.Errorf("%s, SIMD%d after %s: %+v, was %+v", shader, simd, name, got, want)
				}
			}
		}
	})
	for _, name := range all[:last] {
		if went[name] < 30 {
			t.Errorf("%d texts were written after %s", went[name], name)
		}
	}
	t.Logf("%d texts", texts)
}
