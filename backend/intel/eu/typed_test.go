package eu

import (
	"testing"

	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestTypedFormats: typed messages access all formats of storage images but those of 64 bits,
// each row of the table is of a format, and atomics have those of one doubleword. The model's
// table and the rows of the targets, which the compiler goes by, agree about what is read
// without conversion: they are written separately.
func TestTypedFormats(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range typedFormats {
		if _, err := texture.Named(r.name); err != nil || rows[r.name] {
			t.Errorf("row %s: %v, or it occurs twice", r.name, err)
		}
		rows[r.name] = true
	}
	seen := 0
	for f := range irkind.Format(len(irkind.EnumFormat.Names)) {
		format := texture.Of(f)
		if format == nil {
			continue
		}
		seen++
		for _, machine := range target.All {
			s, err := typed(machine, texture.NewImage(irkind.Dim2D, format, 1, 1, 1, 1, 1, 1))
			if err != nil {
				t.Fatal(err)
			}
			long := f == irkind.FormatR64ui || f == irkind.FormatR64i
			if s.write == long || (s.read == nil) != long {
				t.Errorf("%s: %s: written %t, read as %v", machine, format.Name, s.write, s.read)
			}
			if raw := s.read != format; !long && raw != machine.ReadsRaw(f) {
				t.Errorf("%s: %s: the model reads it raw: %t, but the target's row says %t", machine, format.Name, raw, !raw)
			}
			if whole := f == irkind.FormatR32ui || f == irkind.FormatR32i; whole != (s.atomics == atomicsAll) {
				t.Errorf("%s: %s: atomics %d", machine, format.Name, s.atomics)
			}
		}
	}
	if seen != len(irkind.EnumFormat.Names)-1 { // all but unknown
		t.Errorf("only %d formats", seen)
	}
}
