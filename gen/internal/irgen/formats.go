// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// formats writes the texel formats of package kind.
func formats(t *irtab.Tables) *emit.File {
	f := emit.NewFile("kind", "")
	e := t.Enum(irtab.FormatEnum)
	var names emit.Rows
	for _, r := range t.Formats {
		names.F("%s: %q,\n", e.Val.Const(r.Name), r.Val.Vulkan)
	}
	f.Table("vulkanFormats are Vulkan's names of formats, without VK_FORMAT_.", "vulkanFormats", "[...]string", &names)
	f.Func("Vulkan returns Vulkan's name of a format without VK_FORMAT_, which describes the layout of a\ntexel; \"\" for unknown formats.",
		"(v Format) Vulkan() string",
		emit.If("int(v) < len(vulkanFormats)", emit.Return("vulkanFormats[v]")),
		emit.Return(`""`))
	return f
}

// formatPage writes the table of texel formats.
func formatPage(b *buf, t *irtab.Tables) {
	b.f("\n## Texel formats\n\nThe formats that storage images can declare, the surface-state format of each, and the targets whose " +
		"typed reads return a texel's raw bits.\n\n| format | SPIR-V | Vulkan | surface format | raw on |\n|---|---|---|---|---|\n")
	for _, r := range t.Formats {
		v := &r.Val
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r.Name, v.SPIRV, v.Vulkan, v.Surface, strings.Join(v.Raw, ", "))
	}
}
