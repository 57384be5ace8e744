// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/record"
)

// liveAt matches the number of live registers in a line of compile --explain.
var liveAt = regexp.MustCompile(`; (\d+) registers?(?:;|$)`)

// TestListing compares the records of instructions with compile --explain, compile --emit bin and dis.
func TestListing(t *testing.T) {
	for _, c := range []struct{ name, target string }{{"matmul.comp.spv", "icl"}, {"bitonic.comp.spv", "skl"}, {"saxpy.comp.spv", "tgl"}} {
		file := "../../tests/shaders/" + c.name
		args := []string{"compile", file, "--target", c.target, "--simd", "16"}
		code := filepath.Join(t.TempDir(), "code.bin")
		written(t, append(args, "--emit", "bin", "-o", code)...)
		want, err := os.ReadFile(code)
		if err != nil {
			t.Fatal(err)
		}
		var r record.Program
		if err := json.Unmarshal([]byte(written(t, append(args, "--emit", "json", "--instructions")...)), &r); err != nil {
			t.Fatal(err)
		}
		v := r.Programs[0]
		if sum := sha256.Sum256(want); v.Hash != hex.EncodeToString(sum[:]) || v.Bytes != len(want) {
			t.Errorf("%s: hash %s, %d bytes, of code with %x and %d bytes", c.name, v.Hash, v.Bytes, sum, len(want))
		}
		dis := instructionLines(written(t, "dis", code, "--target", c.target))
		explain := instructionLines(written(t, append(args, "--explain")...))
		if len(v.Listing) == 0 || len(v.Listing) != len(dis) || len(dis) != len(explain) {
			t.Fatalf("%s: %d records, %d instructions, %d of them explained", c.name, len(v.Listing), len(dis), len(explain))
		}
		var all []byte
		wait, times := 0, 0
		for i, x := range v.Listing {
			if x.Offset != len(all) {
				t.Errorf("%s: record %d has offset %d, not %d", c.name, i, x.Offset, len(all))
			}
			data, err := hex.DecodeString(x.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data...)
			text, message, _ := strings.Cut(cli.OneLine(dis[i]), " // ")
			said, _, _ := strings.Cut(x.Message, " (set ") // dis does not know the bindings
			if x.Text != text || !strings.HasPrefix(message, said) {
				t.Errorf("%s: record %d is %q, %q; dis writes %q", c.name, i, x.Text, x.Message, cli.OneLine(dis[i]))
			}
			if got, want := costs(x), explainedCosts(explain[i]); got != want {
				t.Errorf("%s: record %d: %s; compile --explain says %s:%s", c.name, i, got, want, explain[i])
			}
			wait, times = wait+x.Wait, max(times, x.Times)
		}
		if !bytes.Equal(all, want) {
			t.Errorf("%s: the bytes of the records are not the code", c.name)
		}
		if wait == 0 || c.name == "matmul.comp.spv" && times < 2 {
			t.Errorf("%s: no instruction waits or none runs twice", c.name)
		}
	}
}

// instructionLines returns the lines of a listing that have instructions.
func instructionLines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}

func costs(x record.Instruction) string {
	return fmt.Sprint(x.Issue, x.Wait, x.Times, x.Assumed, x.Live)
}

// explainedCosts returns the costs in a line of compile --explain as costs writes them.
func explainedCosts(line string) string {
	m, live := explained.FindStringSubmatch(line), liveAt.FindStringSubmatch(line)
	if m == nil || live == nil {
		return "nothing"
	}
	number := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	assumed := strconv.FormatBool(strings.Contains(line, "(assumed)"))
	return strings.Join([]string{m[1], number(m[2], "0"), number(m[3], "1"), assumed, live[1]}, " ")
}

// TestListingNames compares the words of the records with the comments of compile --explain, in a shader with positions
// and a rewrite rule.
func TestListingNames(t *testing.T) {
	script, err := txtar.ParseFile("../../tests/suite/command/script/explain.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "div.jir")
	for _, f := range script.Files {
		if f.Name == "div.jir" {
			err = os.WriteFile(file, f.Data, 0o666)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	var r record.Program
	if err := json.Unmarshal([]byte(written(t, "compile", file, "--emit", "json", "--instructions")), &r); err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Programs[0].Listing {
		if x.Rule == "udiv_power_of_two" {
			if x.File != "x.comp" || x.Line != 4 || x.Column != 9 || x.Row != "shift/OP=ushr" || !strings.Contains(x.IR, "= ushr.32 ") {
				t.Errorf("%+v", x)
			}
			return
		}
	}
	t.Error("no instruction names the rule udiv_power_of_two")
}

// TestStatistics: the statistics under Vulkan's names have the values of the fields, and scratch space and shared
// memory agree with the launch report.
func TestStatistics(t *testing.T) {
	spills := 0
	for _, c := range []struct{ file, simd string }{
		{"tests/shaders/barriers.comp.spv", "16"}, {"tests/shaders/array_dynamic.comp.spv", "8"}, {"tests/shaders/bitonic.comp.spv", "32"},
	} {
		args := []string{"compile", "../../" + c.file, "--simd", c.simd}
		var r record.Program
		if err := json.Unmarshal([]byte(written(t, append(args, "--emit", "json")...)), &r); err != nil {
			t.Fatal(err)
		}
		var abi struct {
			Scratch int `json:"scratch_bytes"`
			Shared  int `json:"shared_bytes"`
		}
		if err := json.Unmarshal([]byte(written(t, append(args, "--emit", "abi")...)), &abi); err != nil {
			t.Fatal(err)
		}
		v := r.Programs[0]
		if v.Scratch != abi.Scratch || v.Shared != abi.Shared {
			t.Errorf("%s: %d and %d bytes; --emit abi has %+v", c.file, v.Scratch, v.Shared, abi)
		}
		spills += v.Scratch + v.Shared
		want := fmt.Sprintf("Instruction Count %d SEND Count %d Loop Count %d Cycle Count %d Spill Count %d Fill Count %d "+
			"Scratch Memory Size %d Workgroup Memory Size %d ",
			v.Instructions, v.Sends, v.Loops, v.Cycles, v.Spills, v.Fills, abi.Scratch, abi.Shared)
		got := ""
		for _, s := range v.Statistics {
			got += fmt.Sprint(s.Name, " ", s.Value, " ")
			if s.Description == "" || len(s.Description) > 255 {
				t.Errorf("%s is described by %q", s.Name, s.Description)
			}
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", c.file, got, want)
		}
	}
	if spills == 0 {
		t.Error("no shader has scratch space or shared memory")
	}
}
