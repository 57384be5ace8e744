// SPDX-License-Identifier: MIT

package isa

import (
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// Run loads, checks and emits.
func Run(ctx *domain.Context) error {
	t, err := isatab.Load(ctx)
	if err != nil {
		return err
	}
	if err := check(t); err != nil {
		return err
	}
	return emitTables(t, ctx.Out)
}

// PlatformName is the part of a platform that other tables refer to.
type PlatformName struct {
	Name, Go, Family string
}

// PlatformNames returns the platforms of the tables, in their order.
func PlatformNames(ctx *domain.Context) (out []PlatformName, err error) {
	set, err := ctx.Load(isatab.Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[isatab.Platform](set, "platform")
	for _, r := range rows {
		out = append(out, PlatformName{r.Name, r.Val.Go, r.Val.Family})
	}
	return out, err
}

// Platforms returns the names in Go of the platforms of the tables, by name.
func Platforms(ctx *domain.Context) (map[string]string, error) {
	set, err := ctx.Load(isatab.Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[isatab.Platform](set, "platform")
	out := map[string]string{}
	for _, r := range rows {
		out[r.Name] = r.Val.Go
	}
	return out, err
}
