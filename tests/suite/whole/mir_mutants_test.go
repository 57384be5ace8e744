// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

var mirMutants = flag.Int("mirmutants", 2000, "how many damaged texts of machine IR TestMachineIRMutants compiles")

// TestMachineIRMutants: a text of machine IR that is damaged in one or two places, but
// still consists of the same words, is rejected or compiled: the back end neither panics
// nor hangs.
func TestMachineIRMutants(t *testing.T) {
	var texts [][]byte
	last := jacquard.Passes()[len(jacquard.Passes())-1]
	n := 0
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(words) > 1500 {
			continue
		}
		for _, simd := range widths {
			_, _ = jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{SIMD: simd, Trace: func(s *jacquard.Step) {
				if n++; s.SIMD != 0 && s.Pass != last && n%11 == 0 {
					texts = append(texts, s.Text())
				}
			}})
		}
	}
	if len(texts) < 100 {
		t.Fatalf("%d texts", len(texts))
	}
	r := rand.New(rand.NewPCG(uint64(*mirMutants), 7))
	refused := 0
	for i := range *mirMutants {
		text := texts[r.IntN(len(texts))]
		for range 1 + r.IntN(2) {
			text = damaged(r, text)
		}
		start := time.Now()
		_, err := jacquard.Compile(t.Context(), text, jacquard.Options{})
		var internal *jacquard.InternalError
		if errors.As(err, &internal) {
			t.Errorf("mutant %d: %v\n%s", i, err, internal.Stack)
			if dir := os.Getenv("KEEP"); dir != "" {
				_ = os.WriteFile(dir+"/"+strconv.Itoa(i)+".mir", text, 0o666)
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("mutant %d took %v", i, took)
			if dir := os.Getenv("KEEP"); dir != "" {
				_ = os.WriteFile(dir+"/slow"+strconv.Itoa(i)+".mir", text, 0o666)
			}
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 || refused == *mirMutants {
		t.Errorf("%d of %d texts were refused", refused, *mirMutants)
	}
	t.Logf("%d of %d texts were refused", refused, *mirMutants)
}

var token = regexp.MustCompile(`[0-9]+|0x[0-9a-f]+|[a-z_]+|[<>+:.~-]`)

// damaged changes a text in one place: a word is replaced by another from the text, or a
// number by another number; a line is removed, duplicated, or swapped.
func damaged(r *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i := r.IntN(len(lines))
	switch r.IntN(8) {
	case 0:
		lines[i] = nil
	case 1:
		lines[i] = append(bytes.Clone(lines[i]), lines[i]...)
	case 2:
		j := r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	default:
		places := token.FindAllIndex(lines[i], -1)
		if len(places) == 0 {
			break
		}
		at := places[r.IntN(len(places))]
		old := lines[i][at[0]:at[1]]
		var with []byte
		if old[0] >= '0' && old[0] <= '9' {
			values := []string{"0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "33", "64", "127", "128", "255", "1000", "65535", "4294967295"}
			with = []byte(values[r.IntN(len(values))])
		} else {
			all := token.FindAll(lines[r.IntN(len(lines))], -1)
			if len(all) > 0 {
				with = all[r.IntN(len(all))]
			}
		}
		line := append(bytes.Clone(lines[i][:at[0]]), with...)
		lines[i] = append(line, lines[i][at[1]:]...)
	}
	return bytes.Join(lines, nil)
}
