// SPDX-License-Identifier: MIT

package peer

import "jacquard.example/tests/support/spv"

// runtimeElements is the number of descriptors that the peer's program gives an array without a size.
const runtimeElements = 16

// bindingOf returns the binding that has the n-th descriptor of a set, and the index of the descriptor in the
// binding. The driver numbers descriptors in the order of bindings. ok is false if the set has fewer descriptors.
func bindingOf(list []spv.Descriptors, set uint32, n int) (binding, element uint32, ok bool) {
	for _, b := range list {
		if b.Set != set {
			continue
		}
		count := int(b.Count)
		if count == 0 {
			count = runtimeElements
		}
		if n < count {
			return b.Binding, uint32(n), true
		}
		n -= count
	}
	return 0, 0, false
}
