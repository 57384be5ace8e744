package vars_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/vars"
	"jacquard.example/core/text"
)

// TestRemovePhis: a phi of one value is that value, and what all sources compute alike is
// computed after the join.
func TestRemovePhis(t *testing.T) {
	const head = `shader compute "main"
workgroup_size 8 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5)
    %2 = ult.1 %0, %1
  if %2 {
    b1:
      $then
  } else {
    b2:
      $else
  }
  b3:
    $join
}
`
	for _, c := range []struct{ name, then, els, join, want string }{
		{"one value", "", "", "%9 = phi.32 b1: %0, b2: %0\n%10 = iadd.32 %9, %1",
			of(head, "", "", "%10 = iadd.32 %0, %1")},
		{"the same computation", "%3 = iadd.32 %0, %1", "%4 = iadd.32 %1, %0", "%9 = phi.32 b1: %3, b2: %4\n%10 = imul.32 %9, %1",
			of(head, "", "%4 = iadd.32 %1, %0", "%3 = iadd.32 %0, %1\n%10 = imul.32 %3, %1")},
		{"only as relaxed as both", "%3 = fadd.32 %0, %1 float=nsz|contract", "%4 = fadd.32 %0, %1 float=nsz", "%9 = phi.32 b1: %3, b2: %4\n%10 = imul.32 %9, %1",
			of(head, "", "%4 = fadd.32 %0, %1 float=nsz", "%3 = fadd.32 %0, %1 float=nsz\n%10 = imul.32 %3, %1")},
		{"another computation", "%3 = iadd.32 %0, %1", "%4 = isub.32 %0, %1", "%9 = phi.32 b1: %3, b2: %4\n%10 = imul.32 %9, %1", ""},
		{"results that are used before the join too", "%3 = iadd.32 %0, %1\n%5 = imul.32 %3, %3", "%4 = iadd.32 %0, %1\n%6 = imul.32 %4, %4", "%9 = phi.32 b1: %3, b2: %4\n%10 = imul.32 %9, %1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := of(head, c.then, c.els, c.join)
			if c.want == "" {
				c.want = src
			}
			want := string(text.Print(passtest.Parse(t, c.want)))
			if got := passtest.Run(t, vars.RemovePhis, src); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// of fills in the blocks of an if.
func of(head, then, els, join string) string {
	return strings.NewReplacer("$then", then, "$else", els, "$join", join).Replace(head)
}
