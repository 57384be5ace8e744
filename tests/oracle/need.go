// SPDX-License-Identifier: MIT

// Package oracle gives tests access to the external tools that check the compiler: assemblers,
// disassemblers, validators and a solver that come from Debian packages and share no code with
// this project. Only tests import it. A missing tool skips the test on a developer's machine
// and fails it if the environment has CI=true, so that CI can never pass silently.
package oracle

import (
	"os"
	"os/exec"
	"testing"
)

// packages maps every tool to its Debian package.
var packages = map[string]string{
	"cc":               "gcc",
	"glslangValidator": "glslang-tools",
	"iga64":            "libigc-tools",
	"intel-gen4disasm": "intel-gpu-tools", // disassembles access mode Align16, which iga64 does not
	"llvm-as-14":       "llvm-14",         // Debian's ocloc reads the IR of this version
	"munged":           "munge",
	"node":             "nodejs",
	"ocloc":            "intel-opencl-icd",
	"sbatch":           "slurm-wlm",
	"scontrol":         "slurm-wlm",
	"sinfo":            "slurm-wlm",
	"slurmctld":        "slurm-wlm",
	"slurmd":           "slurm-wlm",
	"spirv-as":         "spirv-tools",
	"spirv-cross":      "spirv-cross",
	"spirv-dis":        "spirv-tools",
	"spirv-opt":        "spirv-tools",
	"spirv-val":        "spirv-tools",
	"squeue":           "slurm-wlm",
	"z3":               "z3",
}

// Package returns the Debian package of a tool, or "" for a tool that tests must not request.
func Package(tool string) string { return packages[tool] }

// Need returns the path of tool. If the tool is not installed, the test is skipped, or failed
// in CI, with one line that names the Debian package.
func Need(t testing.TB, tool string) string {
	t.Helper()
	pkg, known := packages[tool]
	if !known {
		t.Fatalf("oracle: %q is not in the table of tools", tool)
	}
	path, err := exec.LookPath(tool)
	if err != nil {
		Missing(t, tool, pkg)
	}
	return path
}

// Missing ends the test because tool is missing: a skip with one line that names the Debian
// package, or a failure if CI=true.
func Missing(t testing.TB, tool, pkg string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing and CI=true: install the Debian package %s", tool, pkg)
	}
	t.Skipf("%s is missing: install the Debian package %s", tool, pkg)
}
