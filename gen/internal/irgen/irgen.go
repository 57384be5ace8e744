// SPDX-License-Identifier: MIT

package irgen

import (
	"bytes"
	"fmt"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// Generate reads the IR's tables and adds their packages.
func Generate(c *domain.Context) error {
	t, err := irtab.Load(c)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		path string
		of   func(*irtab.Tables) *emit.File
	}{{"kind/kind.go", kinds}, {"kind/enums.go", enums}, {"kind/formats.go", formats}, {"intrinsic/intrinsic.go", intrinsics}} {
		if err := c.Out.Code(f.path, t.Files, f.of(t)); err != nil {
			return err
		}
	}
	if err := c.Out.Text("docs/intrinsics.md", "<!-- ", t.Files, intrinsicPage(t)); err != nil {
		return err
	}
	return c.Out.Text("docs/kinds.md", "<!-- ", t.Files, kindPage(t))
}

// buf is a page of the manual.
type buf struct{ bytes.Buffer }

func (b *buf) f(format string, args ...any) { fmt.Fprintf(&b.Buffer, format, args...) }
