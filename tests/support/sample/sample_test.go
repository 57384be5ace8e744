// SPDX-License-Identifier: MIT

package sample

import (
	"fmt"
	"testing"
)

// TestShares: each case is in one share and no other, whatever part the test samples, and
// shares and samples are about equally large.
func TestShares(t *testing.T) {
	const cases, shares = 4000, 7
	count := make([]int, shares+1)
	sampled := 0
	for i := range cases {
		name := fmt.Sprint("case ", i)
		t.Setenv("JACQUARD_SOAK", "")
		if One(10, name) {
			sampled++
		}
		if !In(name) || Soaking() {
			t.Fatal("without a share a case is left out")
		}
		in := 0
		for k := 1; k <= shares; k++ {
			t.Setenv("JACQUARD_SOAK", fmt.Sprintf("%d/%d", k, shares))
			if One(10, name) != In(name) || !Soaking() {
				t.Fatal("a share is sampled")
			}
			if In(name) {
				in++
				count[k]++
			}
		}
		if in != 1 {
			t.Fatalf("%s is in %d shares", name, in)
		}
	}
	for k := 1; k <= shares; k++ {
		if count[k] < cases/shares*8/10 || count[k] > cases/shares*12/10 {
			t.Errorf("share %d has %d of %d cases", k, count[k], cases)
		}
	}
	if sampled < cases/10*8/10 || sampled > cases/10*12/10 {
		t.Errorf("one in 10 is %d of %d", sampled, cases)
	}
}

func TestParse(t *testing.T) {
	if k, of, err := Parse("3/8"); k != 3 || of != 8 || err != nil {
		t.Error(k, of, err)
	}
	for _, bad := range []string{"", "3", "0/8", "9/8", "3/8x", "a/b", "-1/8"} {
		if _, _, err := Parse(bad); err == nil {
			t.Errorf("%q is a share", bad)
		}
	}
}
