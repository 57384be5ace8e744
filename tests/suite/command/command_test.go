// SPDX-License-Identifier: MIT

// Package command tests the command line with the scripts in script/: each runs jacquard with flags and files as a user
// would, and states the expected output, errors and exit status. The scripts are archives in the txtar format that
// contain their files. Help texts, limits and messages are tested too; the results of the compiler are tested elsewhere.
package command

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/command"
)

// TestCommand runs the scripts in script/ against the command, built as a user builds it. In addition to testscript's
// commands there are:
//
//	status N PROGRAM ARGS…   runs a program that must end with exit status N
//	module OUT IN [FLAG…]    writes the hexadecimal words of the file IN to OUT
//	                         as a SPIR-V module is: 32 bits each, little-endian.
//	                         -swap writes them big-endian, -cut N leaves only the
//	                         first N bytes
//	oneline                  checks that the last program wrote one line to standard
//	                         error and nothing to standard output
//	foz OUT NAME             writes a Fossilize archive of package fozfile: graphics,
//	                         compute or hand; or compute with damage: short or broken
//	pack OUT FILE…           writes an archive of files, in the format that the
//	                         extension of OUT names
//	need TOOL                skips the script, or fails it in CI, if an outside
//	                         tool is not installed
//
// The condition [root] is true for the superuser, who has all permissions. $SHADERS is the folder tests/shaders, $BIN a
// folder that contains only jacquard.
func TestCommand(t *testing.T) {
	bin := filepath.Dir(command.Build(t))
	shaders, err := filepath.Abs("../../shaders")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("SHADERS", shaders)
			e.Setenv("BIN", bin)
			e.Values["t"] = e.T()
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "root" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  status,
			"module":  moduleFile,
			"need":    need,
			"foz":     fozFile,
			"pack":    pack,
			"oneline": oneline,
		},
	})
}

func oneline(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: oneline")
	}
	if got := ts.ReadFile("stderr"); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") {
		ts.Fatalf("standard error is not one line")
	}
	if ts.ReadFile("stdout") != "" {
		ts.Fatalf("standard output is not empty")
	}
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func moduleFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: module OUT IN [-swap] [-cut N]")
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	cut := -1
	for i := 2; i < len(args); i++ {
		switch args[i] {
		case "-swap":
			order = binary.BigEndian
		case "-cut":
			i++
			n, err := strconv.Atoi(args[i])
			ts.Check(err)
			cut = n
		default:
			ts.Fatalf("unknown flag %s", args[i])
		}
	}
	var data []byte
	for _, line := range strings.Split(ts.ReadFile(args[1]), "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			w, err := strconv.ParseUint(word, 16, 32)
			ts.Check(err)
			data = order.AppendUint32(data, uint32(w))
		}
	}
	if cut >= 0 {
		data = data[:cut]
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

func need(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: need TOOL")
	}
	if _, err := exec.LookPath(args[0]); err == nil {
		return
	}
	pkg := oracle.Package(args[0])
	if os.Getenv("CI") == "true" {
		ts.Fatalf("%s is missing and CI=true: install the Debian package %s", args[0], pkg)
	}
	ts.Value("t").(testscript.T).Skip(args[0], "is missing: install the Debian package", pkg)
}
