package tree

import (
	"os"
	"os/exec"
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
	c := exec.Command("git", "grep", "-hoE", `^func (Test|Fuzz)[DILRO][0-9]{2}`, "--", "*_test.go")
	c.Dir = "../../.."
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`[DILRO][0-9]{2}\n`).FindAllString(string(out), -1)
	for _, code := range codes {
		if code = strings.TrimSpace(code); !strings.Contains(string(page), "| "+code+" | ") {
			t.Errorf("tests/ROWS.md does not explain %s", code)
		}
	}
	if len(codes) < 50 {
		t.Errorf("only %d codes", len(codes))
	}
}
