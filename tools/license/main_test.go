// SPDX-License-Identifier: MIT

package main

import "testing"

func TestLicensed(t *testing.T) {
	const line = "SPDX-License-Identifier: MIT\n\n"
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "package a\n", "// " + line + "package a\n"},
		{"a.go", "//go:build linux\n\npackage a\n", "// " + line + "//go:build linux\n\npackage a\n"},
		{"tools/x/a.mjs", "let a;\n", "// " + line + "let a;\n"},
		{"defs/a.toml", "# Rows.\n", "# " + line + "# Rows.\n"},
		{".ci/run", "#!/bin/sh\ntrue\n", "#!/bin/sh\n# " + line + "true\n"},
	} {
		got, changed := licensed([]byte(c.text), comment(c.name))
		if string(got) != c.want || !changed {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if again, changed := licensed(got, comment(c.name)); changed || string(again) != c.want {
			t.Errorf("%s: the second time %q", c.name, again)
		}
	}
	for _, name := range []string{"generated/op/op.go", "gen/testdata/a.toml", "a.md", "a.spv", "LICENSE"} {
		if mark := comment(name); mark != "" {
			t.Errorf("%s gets a line after %q", name, mark)
		}
	}
}
