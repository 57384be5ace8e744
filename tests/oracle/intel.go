// SPDX-License-Identifier: MIT

package oracle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// IGA is Intel's graphics assembler for one platform: "8", "9", "11", "12p1", "12p71" … It
// decides the meaning of bits and the encoding of text. It does not check that an instruction
// is legal.
type IGA struct{ Platform string }

// Disassemble turns code into text, one instruction per line with labels between. If some bits
// are not an instruction, the error has a line for each place, and there is no text. Flags are
// further options, such as "-Xifs".
func (g IGA) Disassemble(t testing.TB, code []byte, flags ...string) (string, error) {
	t.Helper()
	in, _ := file(t, ".bin", code)
	args := append([]string{"-d", "-p=" + g.Platform}, flags...)
	text, said, err := Run(t, "iga64", nil, append(args, in)...)
	if err == nil && len(said) > 0 {
		err = fmt.Errorf("iga64 -d: %s", said) // it exits with status 0 after some errors
	}
	return string(text), err
}

// Assemble turns text into code. Warnings are messages of the assembler about code that it
// accepts: with the flag "-Wall" it warns about some illegal regions and types, with
// "-Xauto-deps" it computes the scoreboard itself.
func (g IGA) Assemble(t testing.TB, text string, flags ...string) (code []byte, warnings string, err error) {
	t.Helper()
	in, out := file(t, ".asm", []byte(text))
	args := append([]string{"-a", "-p=" + g.Platform, "-o", out}, flags...)
	_, said, err := Run(t, "iga64", nil, append(args, in)...)
	code, err = read(t, out, err)
	return code, string(said), err
}

// DisassembleAll disassembles each program without stopping at errors: text i or error i
// belongs to program i. It takes 2 to 6 ms per program; single instructions are better
// concatenated into one program.
func (g IGA) DisassembleAll(t testing.TB, programs [][]byte, flags ...string) ([]string, []error) {
	t.Helper()
	_, names := files(t, ".bin", programs)
	texts, errs := make([]string, len(names)), make([]error, len(names))
	for i, name := range names {
		args := append([]string{"-d", "-p=" + g.Platform}, flags...)
		text, _, err := Run(t, "iga64", nil, append(args, name)...)
		texts[i], errs[i] = string(text), err
	}
	return texts, errs
}

// AssembleAll assembles each text without stopping at errors: code i or error i belongs to
// text i. Warnings are errors.
func (g IGA) AssembleAll(t testing.TB, texts []string, flags ...string) ([][]byte, []error) {
	t.Helper()
	codes, errs := make([][]byte, len(texts)), make([]error, len(texts))
	for i, text := range texts {
		code, said, err := g.Assemble(t, text, flags...)
		if err == nil && said != "" {
			err = errors.New(said)
		}
		codes[i], errs[i] = code, err
	}
	return codes, errs
}

// CompileCL compiles OpenCL C for a device of Intel's compiler ("tgllp", "icllp", "skl" …) and
// returns the binary: an ELF file in the zebin format. Options are OpenCL's.
func CompileCL(t testing.TB, device string, source []byte, options string) ([]byte, error) {
	t.Helper()
	in, _ := file(t, ".cl", source)
	return ocloc(t, device, in, options)
}

// CompileKernel compiles a SPIR-V module of OpenCL kernels. Vulkan shaders are rejected, or
// crash the compiler.
func CompileKernel(t testing.TB, device string, module []byte, options string) ([]byte, error) {
	t.Helper()
	in, _ := file(t, ".spv", module)
	return ocloc(t, device, in, options, "-spirv_input")
}

func ocloc(t testing.TB, device, in, options string, flags ...string) ([]byte, error) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"compile", "-q", "-file", in, "-device", device, "-out_dir", dir, "-output", "out",
		"-internal_options", "-cl-intel-allow-zebin", "-options", options}
	if _, _, err := Run(t, "ocloc", nil, append(args, flags...)...); err != nil {
		return nil, err
	}
	// The name of the output contains the compiler's own name of the device.
	found, err := filepath.Glob(filepath.Join(dir, "out*.bin"))
	if err != nil || len(found) != 1 {
		t.Fatalf("ocloc left %d binaries", len(found))
	}
	return os.ReadFile(found[0])
}

// ValidateZebin checks with ocloc whether a zebin file is well formed. The error contains the reasons why it is not;
// warnings are the messages about a file that ocloc accepts.
func ValidateZebin(t testing.TB, binary []byte) (warnings string, err error) {
	t.Helper()
	in, _ := file(t, ".bin", binary)
	out, _, err := Run(t, "ocloc", nil, "validate", "-file", in)
	if err != nil {
		return "", fmt.Errorf("zebin: %w", err)
	}
	return string(out), nil
}
