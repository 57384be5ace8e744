// SPDX-License-Identifier: MIT

package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRequirementCodes: tests/ROWS.md explains every code in the name of a test.
func TestRequirementCodes(t *testing.T) {
	page, err := os.ReadFile("../../ROWS.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	named := regexp.MustCompile(`(?m)^func (?:Test|Fuzz)([DILRO][0-9]{2})`)
	err = filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range named.FindAllStringSubmatch(string(source), -1) {
			codes++
			if !strings.Contains(string(page), "| "+m[1]+" | ") {
				t.Errorf("tests/ROWS.md does not explain %s", m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if codes < 50 {
		t.Errorf("only %d codes", codes)
	}
}
