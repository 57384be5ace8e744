// SPDX-License-Identifier: MIT

package isa

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
)

func compactWords12(rng *rand.Rand) (words []uint64) {
	for i := range 400 {
		w := uint64(1)<<29 | rng.Uint64N(32)<<24 | rng.Uint64N(32)<<34 | rng.Uint64N(32)<<39 | rng.Uint64N(16)<<48 | rng.Uint64N(16)<<52
		for _, at := range []uint{16, 40, 56} {
			w |= rng.Uint64N(2) * 0x20 << at
		}
		words = append(words, w|[]uint64{0x40, 0x41, 0x61, 0x65, 0x70, 0x6C, 0x69}[i%7])
		words = append(words, w&^(0xFF<<48)|rng.Uint64N(2)*0x20<<48|0x5B)
	}
	return words
}

// compactWords are random compacted words of a platform. Register numbers exist in both files: r32 is acc0, r0 is null.
var compactWords = map[isa.Platform]func(*rand.Rand) []uint64{
	isa.TGL: compactWords12,
	isa.DG2: compactWords12,
	isa.ICL: compactWords11,
	isa.SKL: func(rng *rand.Rand) (words []uint64) {
		for _, w := range compactWords11(rng) {
			if 0xF56D4>>(w>>8&31)&1 == 0 { // the others are in access mode Align16
				words = append(words, w)
			}
		}
		for i := range 400 { // all bits but 27:19, which mean nothing, have a meaning
			w := rng.Uint64()&^(0x1FF<<19|0x7F) | 1<<29
			words = append(words, w|[]uint64{0x5B, 0x12, 0x5C}[i%3])
		}
		return words
	},
}

func compactWords11(rng *rand.Rand) (words []uint64) {
	for i := range 800 {
		w := uint64(1)<<29 | rng.Uint64N(1<<15)<<8 | rng.Uint64N(2)<<23 | rng.Uint64N(7)<<24 | rng.Uint64N(1<<10)<<30
		for _, at := range []uint{40, 48} {
			w |= rng.Uint64N(2) * 0x20 << at
		}
		w |= rng.Uint64N(256) << 56
		words = append(words, w|[]uint64{0x40, 0x41, 0x01, 0x05, 0x10, 0x0C, 0x09}[i%7])
	}
	return words
}

// TestCompactAgainstIGA disassembles every entry of every table of the
// compacted form, one word at a time, as iga64 does. Words that iga64 refuses
// (an architecture register that does not exist) are left out, and there must
// be few of them. make test takes one word in three. Instructions that iga64 compacts decode to the same instructions.
func TestCompactAgainstIGA(t *testing.T) {
	oracle.Need(t, "iga64")
	labels := regexp.MustCompile(`(?m)^L\d+:$`)
	for p, make := range compactWords {
		t.Run(p.String(), func(t *testing.T) {
			words := make(rand.New(rand.NewPCG(1, 2)))
			file := filepath.Join(t.TempDir(), "w.bin")
			var both, refused int
			var prog []isa.Inst
			words = slices.DeleteFunc(words, func(w uint64) bool { return !sample.One(3, p.String(), strconv.FormatUint(w, 16)) })
			for _, w := range words {
				code := binary.LittleEndian.AppendUint64(nil, w)
				if err := os.WriteFile(file, code, 0o666); err != nil {
					t.Fatal(err)
				}
				out, _, err := oracle.Run(t, "iga64", nil, "-d", "-Xno-print-bfnexprs", "-p="+p.IGA(), file)
				if err != nil {
					refused++
					continue
				}
				theirs := squeeze(labels.ReplaceAllString(string(out), ""))
				in, err := isa.Decode(p, code)
				if err != nil && strings.Contains(theirs, ":bf") { // a type that the tables do not have
					refused++
					continue
				}
				if err != nil {
					t.Errorf("%016X: %v; iga64: %s", w, err, theirs)
					continue
				}
				if ours := string(isatext.Append(nil, p, &in, 0)); squeeze(ours) != theirs {
					t.Errorf("%016X\nours: %s\niga:  %s", w, ours, theirs)
				}
				both++
				if in.Dst.HStride != 0 && in.Src[1].Reg < 128 { // others iga64 prints but does not take
					prog = append(prog, in)
				}
			}
			compactedByIGA(t, p, prog)
			if both < len(words)/2 {
				t.Errorf("iga64 refused %d of %d words", refused, len(words))
			}
		})
	}
}

// compactedByIGA checks that words which iga64 compacts decode to the same instructions.
func compactedByIGA(t *testing.T, p isa.Platform, prog []isa.Inst) {
	var text []byte
	for i := range prog {
		prog[i].Size = isa.InstSize
		text = append(isatext.Append(text, p, &prog[i], 0), '\n')
	}
	code := igaAssemble(t, p, string(text), "-Xautocompact")
	compacted := map[isa.Format]int{}
	pc := 0
	for i := range prog {
		in, err := isa.Decode(p, code[pc:])
		if err != nil {
			t.Fatalf("%s: %v", isatext.Append(nil, p, &prog[i], 0), err)
		}
		pc += int(in.Size)
		if in.Size == isa.InstSize/2 {
			compacted[isa.Ops[in.Op].Format]++
			in.Size = isa.InstSize
		}
		if a, b := isatext.Append(nil, p, &in, 0), isatext.Append(nil, p, &prog[i], 0); string(a) != string(b) {
			t.Errorf("iga64's word of %s\n is %s", b, a)
		}
	}
	t.Logf("compacted words by format: %v", compacted)
	if compacted[isa.FormatBasic] < len(prog)/4 {
		t.Errorf("only %v of %d words by format have a compacted form", compacted, len(prog))
	}
}

// kernels are OpenCL programs for Intel's own compiler, whose output is full of
// compacted words.
var kernels = map[string]string{
	"saxpy": `kernel void k(global float *y, global const float *x, float a) { int i = get_global_id(0); y[i] = a*x[i] + y[i]; }`,
	"loop": `kernel void k(global int *o, global const int *a, int n) {
		int i = get_global_id(0), s = 0;
		for (int j = 0; j < n; j++) { if (a[j] & 1) s += a[j] * i; else if (a[j] > 100) break; else s ^= a[j] / (i + 1); }
		o[i] = s; }`,
	"local": `kernel void k(global float *o, global const uchar *a) {
		local float t[64]; int l = get_local_id(0);
		t[l] = convert_float(a[get_global_id(0)]); barrier(CLK_LOCAL_MEM_FENCE);
		o[get_global_id(0)] = sin(t[63 - l]) + sqrt(t[l]) + exp2(t[l]) * fmin(t[l], 3.0f); }`,
	"half": `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
		kernel void k(global half *o, global const half *a, global short *s) { int i = get_global_id(0); o[i] = a[i]*(half)2.5f + o[i]; s[i] = s[i] > 3 ? s[i] << 2 : s[i] - 7; }`,
	"bytes": `kernel void k(global uchar4 *o, global const char4 *a, global const ushort *b) { int i = get_global_id(0); char4 v = a[i]; o[i] = convert_uchar4_sat(v * (char)3 - (char)b[i]); }`,
	"long":  `kernel void k(global long *o, global const ulong *a, global const int *b) { int i = get_global_id(0); o[i] = (long)a[i] * b[i] + (o[i] >> b[i]) - (long)(a[i] / 10); }`,
	"vec":   `kernel void k(global float4 *o, global const float4 *a, float16 m) { int i = get_global_id(0); float4 v = a[i]; o[i] = (float4)(dot(v, m.s0123), dot(v, m.s4567), dot(v, m.s89ab), length(v)) / fabs(v.wzyx + mad(v, v, v)); }`,
	"image": `kernel void k(read_only image2d_t s, write_only image2d_t d, sampler_t p) { int2 c = (int2)(get_global_id(0), get_global_id(1)); write_imagef(d, c, read_imagef(s, p, convert_float2(c) + 0.5f) * 0.5f); }`,
	"convert": `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
		kernel void k(global half *o, global const float *a, global const int *b, global int *c, global const half *d) { int i = get_global_id(0); o[i] = (half)a[i] + (half)b[i]; c[i] = (int)d[i] + (int)(short)a[i] * (b[i] % 7); }`,
	"atomic": `kernel void k(global int *h, global const uint *a) { uint v = a[get_global_id(0)]; atomic_add(&h[v & 255], popcount(v) + clz(v)); }`,
}

// TestPeersCode disassembles the code of Intel's compiler, as iga64 does.
func TestPeersCode(t *testing.T) {
	forKernels(t, func(t *testing.T, p isa.Platform, code []byte) {
		theirs := igaDisassemble(t, p, code)
		var compacted, i int
		for pc := 0; pc < len(code); i++ {
			if i == len(theirs) {
				if tail := code[pc:]; len(tail) >= isa.InstSize || strings.Trim(string(tail), "\x00") != "" {
					t.Errorf("iga64 stops before offset %#x of %#x: % x", pc, len(code), tail)
				}
				break
			}
			in, err := isa.Decode(p, code[pc:])
			if err != nil {
				t.Fatalf("offset %#x: %v; iga64: %s", pc, err, theirs[i])
			}
			if ours := squeeze(string(isatext.Append(nil, p, &in, pc))); ours != theirs[i] {
				t.Errorf("offset %#x\nours: %s\niga:  %s", pc, ours, theirs[i])
			}
			if in.Size == isa.InstSize/2 {
				compacted++
			}
			pc += int(in.Size)
		}
		if compacted == 0 {
			t.Error("no compacted instruction; the test shows nothing")
		}
		ours, err := isatext.Assemble(p, disassemble(t, p, code))
		if err != nil {
			t.Fatalf("our text of it: %v", err)
		}
		text := igaText(t, p, code)
		fromIGA, err := isatext.Assemble(p, text)
		if err != nil {
			t.Fatalf("iga64's text of it: %v: %s", err, lineOf(text, err))
		}
		if !slices.Equal(ours, fromIGA) {
			t.Error("our text and iga64's give different bytes")
		}
	})
}

// devices are ocloc's names of platforms.
var devices = map[isa.Platform]string{isa.TGL: "tgllp", isa.ICL: "icllp", isa.SKL: "skl"}

// forKernels runs a test on the kernels' code for each platform.
func forKernels(t *testing.T, test func(t *testing.T, p isa.Platform, code []byte)) {
	for p, device := range devices {
		for name, src := range kernels {
			t.Run(p.String()+"/"+name, func(t *testing.T) { test(t, p, compileOpenCL(t, device, src)) })
		}
	}
}

// compiled caches the code of programs, by device and source.
var compiled = map[[2]string][]byte{}

// compileOpenCL returns the machine code of the only kernel of an OpenCL program.
func compileOpenCL(t testing.TB, device, src string) []byte {
	if code := compiled[[2]string{device, src}]; code != nil {
		return code
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "k.cl")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := oracle.Run(t, "ocloc", nil, "compile", "-file", file, "-device", device, "--format", "zebin", "-out_dir", dir,
		"-output", "k", "-output_no_suffix"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "k"))
	if err != nil {
		t.Fatal(err)
	}
	code := textSection(data, ".text.k")
	if code == nil {
		t.Fatal("no section .text.k in ocloc's binary")
	}
	compiled[[2]string{device, src}] = code
	return code
}

// textSection finds a section of a 64-bit ELF file.
func textSection(elf []byte, name string) []byte {
	le := binary.LittleEndian
	if len(elf) < 64 || string(elf[:4]) != "\x7fELF" {
		return nil
	}
	shoff, size := le.Uint64(elf[40:]), int(le.Uint16(elf[58:]))
	n, str := int(le.Uint16(elf[60:])), int(le.Uint16(elf[62:]))
	header := func(i int) []byte { return elf[int(shoff)+i*size:][:size] }
	body := func(h []byte) []byte { return elf[le.Uint64(h[24:]):][:le.Uint64(h[32:])] }
	names := body(header(str))
	for i := range n {
		h := header(i)
		s := string(names[le.Uint32(h):])
		if strings.HasPrefix(s, name+"\x00") {
			return body(h)
		}
	}
	return nil
}
