package draw

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/cmd/jacquard/engine"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// euRefused are the scripts that the compiler or the launcher does not do, at all or at a width, and what is said.
var euRefused = map[string]string{
	"stencil_export/16": "has 8 lanes",
}

// refusal returns why a script is refused at a width, "" if it is not.
func refusal(name string, simd int) string {
	return cmp.Or(euRefused[name], euRefused[fmt.Sprint(name, "/", simd)])
}

// TestEUDrawsLikeInterpreter draws every script with this compiler's machine code on the model, at 8 and 16
// lanes, with all checks of the model: like the interpreter, up to rounding.
func TestEUDrawsLikeInterpreter(t *testing.T) {
	files := append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...)
	for _, machine := range target.All {
		if machine.Vertex == nil {
			continue
		}
		for _, file := range files {
			for _, simd := range []int{8, 16} {
				name := strings.TrimSuffix(filepath.Base(file), ".amber")
				t.Run(fmt.Sprint(machine, "/", name, "/", simd), func(t *testing.T) {
					t.Parallel()
					script := scripts.Read(t, file)
					allowed := peerAllowed[name]
					e := &both{t: t, step: allowed.step, share: allowed.share, first: onInterp(file), second: &engine.EU{Module: moduleOf(file),
						Options: jacquard.Options{Target: machine.Name, SIMD: simd}, Execution: eu.Options{Undefined: true, Addresses: true, Poison: true}}}
					_, err := script.Run(t.Context(), e)
					switch why := refusal(name, simd); {
					case err == nil && why != "":
						t.Errorf("it draws, and is listed as refused: %s", why)
					case err != nil && (why == "" || !strings.Contains(err.Error(), why)) && !strings.Contains(err.Error(), "not supported yet on "+machine.Name):
						t.Fatal(err)
					case err == nil && e.covered == 0:
						t.Error("no draw changes a pixel")
					}
				})
			}
		}
	}
}
