// SPDX-License-Identifier: MIT

package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityBudgets compares the budgets in SECURITY.md with the help text, which formats the constants.
func TestSecurityBudgets(t *testing.T) {
	page, err := os.ReadFile("../../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```\n$ jacquard help limits\n")
	block, _, _ = strings.Cut(block, "```\n")
	budgets := regexp.MustCompile(`(?m)^  .*\n`).FindAllString(limitsHelp(), -1)
	if want := strings.Join(budgets, ""); block != want || len(budgets) < 7 {
		t.Errorf("SECURITY.md lists\n%sbut the budgets are\n%s", block, want)
	}
	if size := fmt.Sprintf("Files larger than %d GiB are refused", maxInput>>30); !strings.Contains(string(page), size) {
		t.Errorf("SECURITY.md lacks %q", size)
	}
}
