// SPDX-License-Identifier: MIT

package modules

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
)

// Load fetches, collects and compiles a package, or n units of it (0 means all), chosen by digest so that they are
// spread over its folders and always the same. tried is the number of units that were compiled, or failed to compile.
func Load(ctx context.Context, c *Compiler, p *Package, n int) (modules []Module, tried int, err error) {
	dir, err := p.Fetch(ctx)
	if err != nil {
		return nil, 0, err
	}
	units, err := p.Collect(dir)
	if err != nil {
		return nil, 0, err
	}
	if n != 0 && n < len(units) {
		slices.SortFunc(units, func(a, b Unit) int {
			x, y := sha256.Sum256([]byte(a.Name)), sha256.Sum256([]byte(b.Name))
			return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a.Name, b.Name))
		})
		units = units[:n]
	}
	modules, err = c.All(ctx, p.Name, units)
	return modules, len(units), err
}

// Distinct drops modules with the same bytes as an earlier one.
func Distinct(modules []Module) []Module {
	seen := map[[32]byte]bool{}
	var out []Module
	for _, m := range modules {
		if k := sha256.Sum256(m.SPIRV); !seen[k] {
			seen[k] = true
			out = append(out, m)
		}
	}
	return out
}
