// SPDX-License-Identifier: MIT

package isa

import (
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// TestDamagedWords: words with flipped bits are refused or decode as in iga64. A word that only iga64 refuses breaks a
// restriction. Encoding the decoded instruction again gives a word with the same meaning. JACQUARD_DAMAGED is the
// number of programs whose words are damaged, for each platform.
func TestDamagedWords(t *testing.T) {
	oracle.Need(t, "iga64")
	labels := regexp.MustCompile(`(?m)^L\d+:$`)
	seeds := damagedSeeds(t)
	for _, p := range platforms() {
		t.Run(p.String(), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "w.bin")
			var both, refused, alone int
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(seed, 7))
				for _, in := range randomProgram(p, 70+seed, 600) {
					code := encodeAll(t, p, []isa.Inst{in})
					for range 1 + rng.IntN(3) {
						b := rng.IntN(8 * isa.InstSize)
						code[b/8] ^= 1 << (b % 8)
					}
					got, err := isa.Decode(p, code)
					if err != nil {
						refused++
						continue
					}
					switch {
					case got.Size != isa.InstSize: // tested by TestCompactAgainstIGA
						continue
					case isa.Ops[got.Op].Format == isa.FormatBranch: // whose targets are outside of the program
						continue
					case readsDifferently(p, &got), chosen(&got): // tested by TestVectorsAssemble and TestSwizzles
						continue
					// iga64 omits the options of the first, and the subregister of the second's null source
					case got.Op == isa.OpIllegal, got.Op == isa.OpMovi:
						continue
					case p.IGA() == "7p5" && unprinted(&got):
						continue
					case p.Words().SecondLen && got.Src[1].IsNull() && got.ExDesc>>6&31 != 0: // iga64 prints a length of 0
						continue
					}
					text := isatext.Append(nil, p, &got, 0)
					var again [isa.InstSize]byte
					if err := isa.Encode(p, &got, again[:]); err == nil {
						if back, err := isa.Decode(p, again[:]); err != nil || back != got {
							t.Errorf("%s: %s is %+v, and encoded again %+v (%v)", wordText(code), text, got, back, err)
						}
					}
					if err := os.WriteFile(file, code, 0o666); err != nil {
						t.Fatal(err)
					}
					out, _, err := oracle.Run(t, "iga64", nil, "-d", "-Xno-print-bfnexprs", "-p="+p.IGA(), file)
					if err != nil {
						if alone++; len(legal.Check(p, code)) == 0 && !(p.IGA() == "7p5" && noRegion(&got, code)) {
							t.Errorf("%s: iga64 refuses what we take for %s", wordText(code), text)
						}
						continue
					}
					both++
					if theirs := squeeze(labels.ReplaceAllString(string(out), "")); squeeze(string(text)) != theirs {
						t.Errorf("%s\nours: %s\niga:  %s", wordText(code), text, theirs)
					}
				}
			}
			if both < 200*int(seeds) || refused < 50*int(seeds) {
				t.Errorf("only %d words that both take and %d that we refuse; the test shows little", both, refused)
			}
			t.Logf("%d words that both take, %d that we refuse, %d that only iga64 refuses", both, refused, alone)
		})
	}
}

// unprinted reports whether an instruction has what iga64 -p=7p5 does not print: modifiers of sources of math, which drivers
// for the machine use, Atomic of a message, and access mode Align16.
func unprinted(in *isa.Inst) bool {
	s0, s1 := &in.Src[0], &in.Src[1]
	modified := s0.Neg || s0.Abs || s1.Neg || s1.Abs
	return in.Align16 || in.Op == isa.OpMath && modified || isa.Ops[in.Op].Format == isa.FormatSend && in.Atomic
}

// noRegion reports whether the bits that hold a source's region hold none in a message, where they mean nothing.
func noRegion(in *isa.Inst, code []byte) bool {
	vstride, width := code[10]>>5|code[11]&1<<3, code[10]>>2&7
	return isa.Ops[in.Op].Format == isa.FormatSend && (vstride > 6 || width > 4)
}

// chosen reports whether an instruction has a swizzle or a write mask, which iga64
// refuses.
func chosen(in *isa.Inst) bool {
	return in.Dst.Mask != 0 || swizzled(in)
}

// damagedSeeds returns the number of random programs that TestDamagedWords damages.
func damagedSeeds(t *testing.T) uint64 {
	text := os.Getenv("JACQUARD_DAMAGED")
	if text == "" {
		return 2
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		t.Fatalf("JACQUARD_DAMAGED=%s: not a number of programs", text)
	}
	return n
}

// TestMeaninglessWords: words with bits that mean nothing in their place are refused, not read as if the bits were not
// there.
func TestMeaninglessWords(t *testing.T) {
	for _, c := range []struct {
		name string
		p    isa.Platform
		word string
	}{
		{"indirect destination of a send", isa.ICL, "3725C1C8060080C02000420004402031"},
		{"indirect payload of a send", isa.ICL, "000000000EEBAD86052001090A491834"},
		{"indirect destination of a sends", isa.ICL, "00000000D93FA46C0641311C03803034"},
		{"indirect payload of a sends", isa.ICL, "152D3C4E075A8BE5084000A806401033"},
		{"AccWrEn of a wait", isa.ICL, "00000000000012143214000010000030"},
		{"math-macro register 20", isa.ICL, "00130F684A6F2BF84BD44B2E8E471038"},
		{"math-macro register 16 of source 0", isa.ICL, "004500604A45005020204B280E600038"},
		{"math-macro register 16 of source 1", isa.ICL, "004500704A45004020204B280E600038"},
		{"math-macro register 16 of source 0", isa.TGL, "00100304EA10028401050AA000030038"},
		{"math-macro register 16 of source 1", isa.TGL, "00100384EA10020401050AA000030038"},
		{"stride of a math macro", isa.ICL, "0000000800452CA165E24B2A0F207038"},
		{"indirect source of a math macro", isa.TGL, "02117314EA1039340D152AA0009DE938"},
		{"indirect destination of math", isa.TGL, "100001301000000078F14A9892A80438"},
		{"math-macro register 28", isa.TGL, "01662BA6FA527FE519463AA49790AC38"},
		{"stride of a math macro", isa.TGL, "00000000F050032454442AA080D4BC38"},
		{"mask of sync.nop", isa.TGL, "FFFFEE90000200000000400018ABFC01"},
		{"sync of a general register", isa.TGL, "00000000300000040001000000000001"},
		{"type of a sync mask", isa.TGL, "79889356200000400001430001000601"},
		{"condition of a function of three bits", isa.DG2, "02055804021A01045E0422280003006B"},
		{"condition of a function of three bits", isa.LNL, "00685875021070435ECC2400898CAC6B"},
		{"sync of a control register", isa.LNL, "0100000000008001000100008000BD01"},
		{"subregister of a sync's null", isa.LNL, "0000000830000008000100000001F901"},
		{"type of a sync's null", isa.LNL, "0000000000000000000108008000A201"},
		{"Align16 with two sources", isa.SKL, "000000000061000E2E4F3AE800600101"},
		{"Align1 with three sources", isa.SKL, "0387201A3900C1C80A1E00000060005B"},
		{"Align16 of a message", isa.SKL, "8E08C000006E0E24200F0FBC06600131"},
		{"swizzle of two lanes", isa.SKL, "0387201A3900C0AA0A1E00000020015B"},
		{"write mask of two lanes", isa.SKL, "0387201A3900C1C80A0600000020015B"},
		{"write mask of one lane", isa.SKL, "0387201A3900C1C80A0200000000015B"},
		{"swizzle of doubles", isa.SKL, "0387201A3900C0AA0A1ED8000040015B"},
		{"write mask of doubles", isa.SKL, "0387201A3900C1C80A06D8000040015B"},
		{"predicate x of three sources", isa.SKL, "0387201A3900C1C80A1E00000062015B"},
		{"predicate any8h of a math macro", isa.SKL, "006000623A60004100203AE80E680138"},
		{"Align1 with a math macro", isa.SKL, "006000623A60004100203AE80E600038"},
		{"accumulator 2", isa.SKL, "00000000008D004024403AE000600001"},
		{"Serialize of a send", isa.TGL, "FF5C630F55207FFE00809C6680384F31"},
	} {
		t.Run(c.p.String()+" "+c.name, func(t *testing.T) {
			if in, err := isa.Decode(c.p, wordOf(t, c.word)); err == nil {
				t.Errorf("%s is taken for %s", c.word, isatext.Append(nil, c.p, &in, 0))
			}
		})
	}
}

// TestWordTexts: architecture registers have the same names in messages as in other
// instructions; subb saturates; words as a graphics driver of Gen9 writes them, whose
// scalars of three sources have a swizzle of zeros.
func TestWordTexts(t *testing.T) {
	for _, c := range []struct {
		p          isa.Platform
		word, want string
	}{
		{isa.ICL, "F91F0C0A5E4865FC44744B27C0492A32", "(W&f1.1.all8h) sendc (4|M20) mme1:f r47:f 0xB28C0020 0x791F0C0A {Breakpoint,EOT}"},
		{isa.ICL, "08EBC042000002602004010004600033", "sends (8|M0) null:hf r19 ce a0.0 0x08EBC042"},
		{isa.ICL, "00AD0FE803E5902C210002088070B84F", "subb (8|M28) (sat)r8.0<1>:ud r[a0.8,44]<2,1>:ud r127.2<16;8,1>:ud {Switch}"},
		{isa.TGL, "00324003022845E74B4702240005054F", "subb (32|M0) (sat)r75.2<4>:ud r69.7<2;16,4>:ud ce<4;2,4>:ud {@5}"},
		{isa.TGL, "FA2040D175D050E70000106800004832", "sendc.ts (1|M0) null r80 ce 0xF7106E80 0xB80882E8 {$8}"},
		{isa.SKL, "00C72004402028010A1E00000060015B", "mad (8|M0) r10.0<1>:f r2.4<0;0>:f r2.1<0;0>:f r3.0<1>:f"},
		{isa.SKL, "01872004C02028010D1E00000060015B", "mad (8|M0) r13.0<1>:f r2.4<0;0>:f r2.3<0;0>:f r6.0<1>:f"},
		{isa.SKL, "015F2430390141C8161E00000080015B", "mad (16|M0) r22.0<1>:f r20.0<2;1>:f r24.0<2;1>:f r5.3<0>:f"},
		{isa.SKL, "02080007000000280000901006600033", "sends (8|M0) null:ud r1 r9 0x206 0x02080007"},
		{isa.SKL, "00000000008D01002F403AE800600001", "mov (8|M0) r122.0<1>:f r8.0<8;8,1>:f"},
		{isa.SKL, "00000000008D00202FC0020C00600001", "(W) mov (8|M0) r126.0<1>:ud r1.0<8;8,1>:ud"},
		{isa.SKL, "8208004700000FC40007A01006600033", "sends (8|M0) null:ud r126 r122 0x126 0x02080047 {EOT}"},
		{isa.SKL, "FFFFFF900E0000002000000000960027", "(~f0.0.any4h) while (16|M0) L-112"},
	} {
		in, err := isa.Decode(c.p, wordOf(t, c.word))
		if err != nil {
			t.Errorf("%s: %v", c.word, err)
			continue
		}
		if got := string(isatext.Append(nil, c.p, &in, 0)); got != c.want {
			t.Errorf("%s\ngot:  %s\nwant: %s", c.word, got, c.want)
		}
	}
}

// wordOf parses the text that wordText writes.
func wordOf(t testing.TB, text string) []byte {
	code, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(code)
	return code
}
