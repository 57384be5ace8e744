// SPDX-License-Identifier: MIT

package intel

import (
	"fmt"

	"jacquard.example/core/ir"
)

// oneTrip checks an assumption of selection: a value that is uniform where it is computed is uniform wherever
// it is read.
func (c *Compiler) oneTrip(s *ir.Shader) error {
	check := func(x ir.Value, at ir.Node) error {
		if !c.div.Value(x) && c.div.Read(x, at) {
			return fmt.Errorf("value %d is uniform in a loop that invocations leave in different iterations, and is read after it", x)
		}
		return nil
	}
	for _, b := range c.cfg.Blocks {
		for v := range s.Instrs(b) {
			for i := range int(s.At(v).NSrc) {
				if err := check(s.Src(v, i).Val, b); err != nil {
					return err
				}
			}
		}
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			if err := check(s.Cond(n).Val, b); err != nil {
				return err
			}
		}
	}
	return nil
}
