package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard.example/generated/target"
)

// peerVariable names the command that runs the peer.
const peerVariable = "JACQUARD_PEER"

// peer is another compiler.
type peer struct {
	command []string
	machine *target.Target
	simd    int
}

// findPeer returns the peer, or nil if none is installed.
func findPeer(machine *target.Target, simd int) *peer {
	command := strings.Fields(os.Getenv(peerVariable))
	if len(command) == 0 {
		return nil
	}
	return &peer{command, machine, simd}
}

// program is a program of the peer's.
type program struct {
	code    []byte
	layout  layout
	shared  int // bytes of shared memory
	scratch int // bytes of scratch space, as eu.Dispatch has them
}

// report is what the judge reads of a line of the peer's.
type report struct {
	Kind  string         `json:"kind"`
	Error string         `json:"error"`
	Size  int            `json:"subgroup_size"`
	Stats map[string]int `json:"stats"`
}

// compile compiles an entry point of a module.
func (p *peer) compile(ctx context.Context, module []byte, entry string) (*program, error) {
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "x.comp.spv")
	if err := os.WriteFile(file, module, 0o666); err != nil {
		return nil, err
	}
	args := append(p.command[1:len(p.command):len(p.command)], p.machine.Name, "vkpeer", "-n", "1", "-s", strconv.Itoa(p.simd), "-e", entry, "-d", dir, file)
	cmd := exec.CommandContext(ctx, p.command[0], args...)
	cmd.Env = append(os.Environ(), "INTEL_DEBUG=cs,nocompact", "INTEL_SHADER_BIN_DUMP_PATH="+dir)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the peer: %w", err)
	}
	return p.read(dir, out)
}

// read reads what the peer has written.
func (p *peer) read(dir string, out []byte) (*program, error) {
	var r report
	for line := range bytes.Lines(out) {
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("the peer's line %q: %w", line, err)
		}
		if r.Kind == "exe" || r.Kind == "error" {
			break
		}
	}
	switch {
	case r.Error != "":
		return nil, fmt.Errorf("the peer: %s", r.Error)
	case r.Size != p.simd:
		return nil, fmt.Errorf("the peer has compiled for %d lanes", r.Size)
	}
	code, err := one(filepath.Join(dir, "*.bin"))
	if err != nil {
		return nil, err
	}
	ir, err := one(filepath.Join(dir, "*.Final_NIR.txt"))
	if err != nil {
		return nil, err
	}
	assembly, err := one(filepath.Join(dir, "*Assembly.txt"))
	if err != nil {
		return nil, err
	}
	b := &program{code: code, shared: r.Stats["Workgroup Memory Size"]}
	if n := r.Stats["Scratch Memory Size"]; n > 0 {
		for b.scratch = 1024; b.scratch < n; {
			b.scratch *= 2
		}
	}
	b.layout, err = readLayout(string(ir), string(assembly))
	return b, err
}

// one returns the contents of the only file that a pattern matches.
func one(pattern string) ([]byte, error) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("the peer has written %d files %s", len(files), filepath.Base(pattern))
	}
	return os.ReadFile(files[0])
}
