// SPDX-License-Identifier: MIT

package variants

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// TestVariants: the requested number of inputs, most of them different, which are always the same for a name and a
// number, and have the types of the seeds.
func TestVariants(t *testing.T) {
	seeds := [][]any{{uint8(1), []byte("abcdefgh"), "one"}, {uint8(2), []byte(""), "two words"}}
	list := variants(seeds, 500, "x", 0)
	if !reflect.DeepEqual(list, variants(seeds, 500, "x", 0)) {
		t.Error("another time they are others")
	}
	if reflect.DeepEqual(list, variants(seeds, 500, "x", 1)) || reflect.DeepEqual(list, variants(seeds, 500, "y", 0)) {
		t.Error("another sequence is the same")
	}
	if variants(nil, 5, "x", 0) != nil {
		t.Error("variants of nothing")
	}
	all := map[string]bool{}
	for _, v := range list {
		all[fmt.Sprintf("%T %T %T %q", v[0], v[1], v[2], v)] = true
	}
	if len(list) != 500 || len(all) < 400 {
		t.Errorf("%d inputs, of which %d differ", len(list), len(all))
	}
	for v := range all {
		if !strings.HasPrefix(v, "uint8 []uint8 string ") {
			t.Fatal(v)
		}
	}
	if string(seeds[0][1].([]byte)) != "abcdefgh" {
		t.Error("a seed was changed")
	}
}

// FuzzNine fails with an input that only variants have; TestFailingVariant runs it.
func FuzzNine(f0 *testing.F) {
	f := Of(f0)
	f.Add([]byte("0123"))
	seen := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		seen++
		if os.Getenv("VARIANTS_FAIL") != "" && bytes.Contains(data, []byte("9")) {
			t.Error("nine")
		}
	})
	if f.count > 0 && seen != f.count+1 {
		f.Errorf("%d of %d inputs ran", seen, f.count+1)
	}
}

// TestFailingVariant: a target that fails with a variant fails the test and shows the input.
func TestFailingVariant(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^FuzzNine$")
	cmd.Env = append(os.Environ(), "VARIANTS_FAIL=1", "JACQUARD_VARIANTS=300 5")
	out, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("go test fuzz v1\n")) || !bytes.Contains(out, []byte(`[]byte("`)) || bytes.Contains(out, []byte("inputs ran")) {
		t.Errorf("%v\n%s", err, out)
	}
}
