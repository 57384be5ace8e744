// SPDX-License-Identifier: MIT

// Package sample chooses the cases that a test runs when there are more than make test has time for. [One] keeps one
// case in n, chosen by a hash of the case's name, so that the choice depends neither on the day nor on other cases.
// With JACQUARD_SOAK=3/8 a test runs the third of eight shares of all of its cases instead, and with 1/1 all: make
// soak runs every share. Callers must ensure that each class of cases has members in the sample.
package sample

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
)

// One reports whether to run a case, if one in n is run. With JACQUARD_SOAK, it reports whether the case is in the
// requested share, whatever n is.
func One(n int, name ...string) bool {
	h := hash(name)
	if k, of := Share(); of > 0 {
		return h%uint64(of) == uint64(k-1)
	}
	return h%uint64(n) == 0
}

// Subtest is like One, for a case that is a subtest. It also returns true if the flag -run names subtests.
func Subtest(n int, name ...string) bool {
	run := flag.Lookup("test.run")
	return run != nil && strings.Contains(run.Value.String(), "/") || One(n, name...)
}

// In reports whether a case is in the requested share. Without one, all are.
func In(name ...string) bool { return One(1, name...) }

// Soaking reports whether tests run a share of all of their cases rather than a sample.
func Soaking() bool { _, of := Share(); return of > 0 }

// Share returns the number of the requested share, from 1, and the number of shares, or zeros if none is requested.
// It panics if JACQUARD_SOAK is not a share.
func Share() (k, of int) {
	s := os.Getenv("JACQUARD_SOAK")
	if s == "" {
		return 0, 0
	}
	k, of, err := Parse(s)
	if err != nil {
		panic("JACQUARD_SOAK: " + err.Error())
	}
	return k, of
}

// Parse reads a share, such as 3/8.
func Parse(s string) (k, of int, err error) {
	if n, err := fmt.Sscanf(s+"\n", "%d/%d\n", &k, &of); n != 2 || err != nil || k < 1 || k > of {
		return 0, 0, fmt.Errorf("%q is not a share such as 3/8", s)
	}
	return k, of, nil
}

func hash(name []string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(name, "\x00")))
	x := h.Sum64() // the low bits of the sum depend only on the low bits of the text
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}
