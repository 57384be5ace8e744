// SPDX-License-Identifier: MIT

package corpus

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/sample"
)

// TestVerified compiles shaders with all checks (--verify) at every width, each module for one target in turn. It uses
// the modules of packages that load fast, one in 20 of all modules, or all with JACQUARD_CORPUS_ALL (make verify). All
// checks must run and find no defect.
func TestVerified(t *testing.T) {
	list := chosen(t, compiler(t), os.Getenv("JACQUARD_CORPUS_ALL") != "")
	var sum struct {
		sync.Mutex
		verified, refused int
	}
	list = slices.DeleteFunc(list, func(m modules.Module) bool { return !sample.In(m.ID()) })
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	t.Run("modules", func(t *testing.T) {
		for i := range list {
			m, machine := &list[i], target.All[i%len(target.All)]
			t.Run(m.ID(), func(t *testing.T) {
				t.Parallel()
				gate <- struct{}{}
				defer func() { <-gate }()
				for _, e := range modules.Entries(m.SPIRV) {
					for _, width := range machine.Widths {
						p, err := jacquard.Compile(t.Context(), m.SPIRV, jacquard.Options{Target: jacquard.Target(machine.Name),
							Stage: jacquard.Stage(modules.Models[e.Model]), Entry: e.Name, SIMD: width, Verify: true})
						var defect *jacquard.InternalError
						sum.Lock()
						switch {
						case err == nil:
							sum.verified++
						default:
							sum.refused++
						}
						sum.Unlock()
						switch {
						case errors.As(err, &defect):
							t.Errorf("%s %s %s SIMD%d: %v", m.ID(), e.Name, machine, width, err)
						case err == nil && len(p.Unchecked) > 0:
							t.Errorf("%s %s %s SIMD%d: not checked: %q", m.ID(), e.Name, machine, width, p.Unchecked)
						}
					}
				}
			})
		}
	})
	t.Logf("%d modules: %d shaders verified, %d refused", len(list), sum.verified, sum.refused)
	if sum.verified < len(list) {
		t.Errorf("only %d shaders of %d modules were verified", sum.verified, len(list))
	}
}
