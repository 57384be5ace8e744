// SPDX-License-Identifier: MIT

package spirvgen

import "jacquard.example/gen/internal/table"

// addFormats maps values of SPIR-V's image formats to the formats whose rows name them. A
// value that no row names is refused by the reader.
func (t *tables) addFormats() {
	rows := t.enums["image_format"]
	for _, f := range t.ir.Formats {
		found := false
		for _, r := range rows {
			if r.Name != f.Val.SPIRV {
				continue
			}
			found = true
			if r.Val.To != "" {
				t.errs.Addf(f.At("spirv"), f.Full, "spirv: [%s] is already %s", r.Full, r.Val.To)
			}
			r.Val.To = f.Name
		}
		if !found {
			t.errs.Unknown(f.At("spirv"), f.Full, "image_format", f.Val.SPIRV, table.Names(rows))
		}
	}
}
