// SPDX-License-Identifier: MIT

package archives

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"jacquard.example/core/foz"
	"jacquard.example/tests/support/fozfile"
)

// stored returns an archive with an entry whose payload is stored as given, under a header that claims a size.
func stored(tag int, payload []byte, size int, deflated bool) []byte {
	file := fmt.Appendf(fozfile.Header(6), "%024x%016x", tag, 1)
	flags := uint32(1)
	if deflated {
		flags = 2
	}
	for _, n := range []uint32{uint32(len(payload)), flags, crc32.ChecksumIEEE(payload), uint32(size)} {
		file = binary.LittleEndian.AppendUint32(file, n)
	}
	return append(file, payload...)
}

// zeros returns n bytes that are 0, compressed.
func zeros(n int) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	io.CopyN(z, zeroReader{}, int64(n))
	z.Close()
	return b.Bytes()
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// stages returns the payload of a graphics pipeline with a list of stages.
func stages(list string) []byte {
	return fmt.Appendf(nil, `{"version":6,"graphicsPipelines":{"0000000000000001":{"layout":"0","stages":[%s]}}}`, list)
}

// TestHostile: archives that claim or cause as much work as possible for their size are read within the stated budgets.
func TestHostile(t *testing.T) {
	const mib = 1 << 20
	module := func(text string, tail []byte) []byte {
		return append(fmt.Appendf(nil, `{"version":6,"shaderModules":{"0000000000000001":%s}}`+"\x00", text), tail...)
	}
	graphics := func(payload []byte) []byte {
		return fozfile.File([]fozfile.Entry{{Tag: fozfile.GraphicsPipeline, Hash: 1, Payload: payload, Deflate: true}})
	}
	compressed := func(tag int, payload []byte) []byte {
		return fozfile.File([]fozfile.Entry{{Tag: tag, Hash: 1, Payload: payload, Deflate: true}})
	}
	many := fozfile.Header(6)
	for i := range 50_000 {
		many = (&fozfile.Entry{Tag: fozfile.ComputePipeline, Hash: uint64(i)}).Append(many)
	}
	same := fozfile.Header(6)
	for range 200_000 {
		same = (&fozfile.Entry{Tag: fozfile.ComputePipeline}).Append(same)
	}
	for _, c := range []struct {
		name string
		file []byte
		most uint64 // bytes that reading it may allocate
	}{
		{"more than the limit", stored(fozfile.Module, zeros(65*mib), 65*mib, true), mib},
		{"a size that is not there", stored(fozfile.Module, make([]byte, 1000), 64*mib, true), mib},
		{"all of the limit", stored(fozfile.Module, zeros(64*mib), 64*mib, true), 66 * 2 * mib},
		{"more than its size", stored(fozfile.Module, zeros(32*mib), mib, true), 4 * mib},
		{"long JSON", compressed(fozfile.SetLayout, bytes.Repeat([]byte("["), 32*mib)), 200 * mib},
		{"deep JSON", graphics(bytes.Repeat([]byte("["), mib)), 16 * mib},
		{"deep objects", graphics(bytes.Repeat([]byte(`{"version":`), mib/11)), 16 * mib},
		{"objects", graphics([]byte("{" + strings.Repeat(`"a":0,`, mib/7) + `"a":0}`)), 300 * mib},
		{"different objects", graphics(keys(mib / 12)), 300 * mib},
		{"stages", graphics(stages(strings.Repeat("{},", mib/4) + "{}")), 200 * mib},
		{"stages that count", graphics(stages(strings.Repeat(`{"stage":1},`, 1023) + `{"stage":1}`)), 200 * mib},
		{"extensions", graphics(stages(`{"stage":1,"pNext":[` + strings.Repeat("{},", mib/4) + "{}]}")), 300 * mib},
		{"constants", graphics(stages(`{"stage":1,"specializationInfo":{"dataSize":1,"data":"AA==","mapEntries":[` +
			strings.Repeat(`{"size":1},`, mib/12) + `{"size":1}]}}`)), 300 * mib},
		{"bindings", compressed(fozfile.SetLayout, fozfile.SetLayoutPayload(1, "["+strings.Repeat("{},", mib/4)+"{}]")), 600 * mib},
		{"a long module", compressed(fozfile.Module, module(`{"varintOffset":0,"varintSize":16777216,"codeSize":67108864}`, make([]byte, 16*mib))), 200 * mib},
		{"a module that is not there", compressed(fozfile.Module, module(`{"varintOffset":0,"varintSize":4,"codeSize":67108864}`, make([]byte, 4))), mib},
		{"a module of wrong size", compressed(fozfile.Module, module(`{"varintOffset":18446744073709551615,"varintSize":2,"codeSize":4}`, make([]byte, 4))), mib},
		{"entries", many, 80 * uint64(len(many))},
		{"the same entry", same, 4 * uint64(len(same))},
		{"files", zipDirectory(t, 100_000), 200 * mib},
		{"the same file", zipOverlap(t, 1000), 40 * mib},
		{"tar headers", tarHeaders(t, 50_000), 200 * mib},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Read(c.file, false)
			t.Logf("%d bytes: refused %v, %d members, %d bad; %.1f MiB allocated, %v", len(c.file), r.Refused, r.Members, r.Bad,
				float64(r.Bytes)/mib, r.Took)
			if r.Defect != "" || r.Bytes > c.most {
				t.Errorf("%d bytes allocated; the limit is %d; %s", r.Bytes, c.most, r.Defect)
			}
			if r.Took > mostTime {
				t.Errorf("it takes %v", r.Took)
			}
		})
	}
}

// keys returns a JSON object with n members of different names.
func keys(n int) []byte {
	b := []byte{'{'}
	for i := range n {
		b = fmt.Appendf(b, `"%06x":0,`, i)
	}
	return append(b, `"":0}`...)
}

// zipDirectory returns a zip archive of n empty files.
func zipDirectory(t *testing.T, n int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range n {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipOverlap returns a zip archive in which n files, of different names, are at the same place: a mebibyte of zeros.
func zipOverlap(t *testing.T, n int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("0000")
	if err == nil {
		_, err = w.Write(make([]byte, 1<<20))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	start := bytes.LastIndex(data, []byte("PK\x01\x02"))
	record, tail := data[start:end], data[end:]
	out := append([]byte{}, data[:start]...)
	for i := range n {
		copy(record[46:], fmt.Sprintf("%04d", i))
		out = append(out, record...)
	}
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*len(record)))
	return append(out, tail...)
}

// tarHeaders returns a tar archive of n empty files with long names.
func tarHeaders(t *testing.T, n int) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range n {
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// headers is an archive of which every entry is the same, without a payload.
type headers struct{ one []byte }

func (h headers) ReadAt(p []byte, at int64) (int, error) {
	if at > 0 {
		at = fozHeader + (at-fozHeader)%fozEntry
	}
	return copy(p, h.one[at:]), nil
}

// TestTooManyEntries: the number of entries is limited.
func TestTooManyEntries(t *testing.T) {
	one := (&fozfile.Entry{Tag: 99}).Append(fozfile.Header(6)) // a tag of a later version, which is not indexed
	for _, n := range []int64{foz.MaxEntries, foz.MaxEntries + 1} {
		_, err := foz.Open(headers{one}, fozHeader+n*fozEntry)
		var e *foz.Error
		if n > foz.MaxEntries != errors.As(err, &e) {
			t.Errorf("%d entries: %v", n, err)
		}
		if e != nil && e.Error() != "entry 4194305 at byte 234881040: the archive has more than 4194304 entries" {
			t.Error(e)
		}
	}
}
