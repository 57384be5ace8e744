// SPDX-License-Identifier: MIT

package peer

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The driver puts a program's constant data after its code, at the next multiple of 32 bytes, and loads it from its
// address. Each half of the address is an immediate that the driver patches when it uploads the program; until then it has
// the value unpatched. The binary that the driver dumps has no data, so the data is read from the memory of a process that
// compiles the program repeatedly.

// ConstantsAddress is the address of constant data in programs that Compile returns. Both halves are the same, since
// the code does not tell which half an immediate is.
const ConstantsAddress = constantsHalf<<32 | constantsHalf

const (
	constantsHalf  = 0x7000
	constantsAlign = 32
	unpatched      = 0x4a7cc037
	instruction    = 16 // bytes
	immediate      = 12 // where it begins in an instruction
)

// The rows of the final IR that load an immediate which the driver patches, and the size of the constant data.
var (
	relocRow     = regexp.MustCompile(`@load_reloc_const_intel \(param_idx=(\d+), base=(\d+)\)`)
	constantsRow = regexp.MustCompile(`(?m)^constants: (\d+)$`)
)

// constantBytes returns the size of a program's constant data, or 0 if it has none.
func constantBytes(ir string) (int, error) {
	rows := relocRow.FindAllStringSubmatch(ir, -1)
	if len(rows) == 0 {
		return 0, nil
	}
	const low, high = "0", "1"
	for _, m := range rows {
		if m[1] != low && m[1] != high || m[2] != "0" {
			return 0, fmt.Errorf("the driver patches its code with something other than the address of its constant data")
		}
	}
	size := constantsRow.FindStringSubmatch(ir)
	if size == nil {
		return 0, fmt.Errorf("its constant data has no size")
	}
	return number(size[1]), nil
}

// patches returns the offsets of the immediates that the driver has yet to patch.
func patches(code []byte) (list []int) {
	for at := immediate; at+4 <= len(code); at += instruction {
		if binary.LittleEndian.Uint32(code[at:]) == unpatched {
			list = append(list, at)
		}
	}
	return list
}

// relocate patches a program's code for its constant data at ConstantsAddress.
func relocate(code []byte) {
	for _, at := range patches(code) {
		binary.LittleEndian.PutUint32(code[at:], constantsHalf)
	}
}

// findConstants looks for a program that the driver has uploaded, and returns the data after it, or nil if there is
// none.
func findConstants(memory, code []byte, size int) []byte {
	list := patches(code)
	if len(list) == 0 {
		return nil
	}
	start := code[:list[0]]
	at := (len(code) + constantsAlign - 1) / constantsAlign * constantsAlign
	for from := 0; ; from++ {
		i := bytes.Index(memory[from:], start)
		if i < 0 || from+i+at+size > len(memory) {
			return nil
		}
		from += i
		found := bytes.Clone(memory[from : from+len(code)])
		patched := true
		for _, p := range list {
			patched = patched && binary.LittleEndian.Uint32(found[p:]) != unpatched
			binary.LittleEndian.PutUint32(found[p:], unpatched)
		}
		if patched && bytes.Equal(found, code) {
			return bytes.Clone(memory[from+at : from+at+size])
		}
	}
}

// The time that a program may take to appear in the memory of the process that compiles it, and the time between looks.
const (
	appearance = 2 * time.Minute
	look       = 50 * time.Millisecond
)

// constants returns the constant data of a program. args are the arguments of a run that compiles it.
func (c *Compiler) constants(ctx context.Context, args, env []string, code []byte, size int) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, appearance)
	defer stop()
	cmd := c.Command(ctx, append([]string{"-n", "1000000"}, args...)...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	group := cmd.Process.Pid
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait() // it is killed
	}()
	defer func() {
		_ = syscall.Kill(-group, syscall.SIGKILL)
		<-done
	}()
	for {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the program is not in the peer's memory: %w", ctx.Err())
		case <-done:
			return nil, fmt.Errorf("the peer has ended before its program was found")
		case <-time.After(look):
		}
		for _, pid := range members(group) {
			if data := scan(pid, code, size); data != nil {
				return data, nil
			}
		}
	}
}

// members returns the processes of a group.
func members(group int) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		rest := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		const groupField = 2
		if len(rest) > groupField && rest[groupField] == strconv.Itoa(group) {
			list = append(list, filepath.Base(filepath.Dir(file)))
		}
	}
	return list
}

// scan looks for a program in the writable memory of a process and returns its constant data, or nil.
func scan(pid string, code []byte, size int) []byte {
	maps, err := os.ReadFile(filepath.Join("/proc", pid, "maps"))
	if err != nil {
		return nil
	}
	memory, err := os.Open(filepath.Join("/proc", pid, "mem"))
	if err != nil {
		return nil
	}
	defer memory.Close()
	const most = 64 << 20 // of a mapping
	for line := range strings.Lines(string(maps)) {
		var start, end uint64
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &start, &end, &mode); err != nil || !strings.HasPrefix(mode, "rw") {
			continue
		}
		buf := make([]byte, min(end-start, most))
		n, _ := memory.ReadAt(buf, int64(start))
		if data := findConstants(buf[:n], code, size); data != nil {
			return data
		}
	}
	return nil
}
