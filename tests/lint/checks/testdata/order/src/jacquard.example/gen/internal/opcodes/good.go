package opcodes

import (
	"maps"
	"slices"

	"jacquard.example/gen/internal/diag"
)

func good(m map[string]int, errs *diag.List) ([]string, bool) {
	var list []string
	turned, bits, most, sum, any := map[int]string{}, 0, 0, 0, false
	for k, n := range m {
		x := n + 1
		if x == 3 {
			continue
		}
		list = append(list, k)
		turned[n] = k
		bits |= 1 << n
		most = max(most, n)
		sum += n
		any = any || n == 0
		delete(m, k)
		errs.Addf(k)
	}
	slices.Sort(list)
	for _, n := range m {
		if n < 0 {
			return nil, false
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		println(k)
	}
	return list, any
}
