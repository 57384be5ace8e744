package whole

import (
	"bytes"
	"hash/fnv"
	"reflect"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// TestMachineIRGoesOn: the text of machine IR compiles to what the shader does, its
// figures and its ABI among it, whatever pass it was written after. Of every shader
// some passes are taken at a width, all at one of 16 lanes of some shaders.
func TestMachineIRGoesOn(t *testing.T) {
	all := jacquard.Passes()
	last := len(all) - 1
	texts := map[string]int{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New32a()
		h.Write([]byte(s.Name))
		first := int(h.Sum32() % 1000)
		for k, simd := range widths {
			written := map[string][]byte{}
			want, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{SIMD: simd, Trace: func(s *jacquard.Step) {
				for i, name := range all[:last] {
					if s.SIMD != 0 && s.Pass == name && ((first+k+i)%5 == 0 || simd == 16 && first%10 == 0) {
						written[name] = s.Text()
					}
				}
			}})
			if err != nil {
				continue // TestCounts knows which
			}
			for name, text := range written {
				texts[name]++
				got, err := jacquard.Compile(t.Context(), text, jacquard.Options{})
				switch {
				case err != nil:
					t.Errorf("%s, SIMD%d after %s: %v", s.Name, simd, name, err)
				case !bytes.Equal(got.Variants[0].Code, want.Variants[0].Code):
					t.Errorf("%s, SIMD%d after %s: the code is another", s.Name, simd, name)
				case !reflect.DeepEqual(got, want):
					t.Errorf("%s, SIMD%d after %s: %+v, was %+v", s.Name, simd, name, got, want)
				}
			}
		}
	}
	for _, name := range all[:last] {
		if texts[name] < 50 {
			t.Errorf("%d texts were written after %s", texts[name], name)
		}
	}
}
