// SPDX-License-Identifier: MIT

package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/archive"
)

// shown lists the members of an archive with their contents and errors.
func shown(t *testing.T, data []byte) string {
	t.Helper()
	a, err := archive.New("a", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err.Error()
	}
	if a == nil {
		return "no archive"
	}
	names, err := a.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range names {
		c, err := a.Read(name)
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		list = append(list, fmt.Sprintf("%s=%s", name, c.Data))
	}
	return strings.Join(list, " ")
}

// zipFile returns a zip archive of files, whose names and contents alternate.
func zipFile(t *testing.T, method uint16, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := z.SetComment("PK\x05\x06 in a comment")
	for i := 0; i < len(files); i += 2 {
		h := &zip.FileHeader{Name: files[i], Method: method}
		if strings.HasPrefix(files[i], "link") {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		w, e := z.CreateHeader(h)
		if e == nil {
			_, e = w.Write([]byte(files[i+1]))
		}
		err = errors.Join(err, e)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// changed returns data with the bytes after the last of a text replaced, from an offset on.
func changed(data []byte, after string, offset int, by ...byte) []byte {
	data = slices.Clone(data)
	copy(data[bytes.LastIndex(data, []byte(after))+offset:], by)
	return data
}

// TestZip checks the contents of zip archives, and the errors for damaged ones.
func TestZip(t *testing.T) {
	const central, local = "PK\x01\x02", "PK\x03\x04"
	long := strings.Repeat("long ", 1000)
	stored, deflated := zipFile(t, zip.Store, "x", "hello"), zipFile(t, zip.Deflate, "x", long)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"stored", stored, "x=hello"},
		{"deflated", deflated, "x=" + long},
		{"order", zipFile(t, zip.Deflate, "b/x", "1", "a", "2", "dir/", "", "/c", "3", "./d", "4"), "a=2 b/x=1 c=3 d=4"},
		{"twice", zipFile(t, zip.Store, "x", "old", "y", "", "x", "new"), "x=new y="},
		{"link", zipFile(t, zip.Store, "x", "1", "link.spv", "x"), "x=1"},
		{"empty", zipFile(t, zip.Store), ""},
		{"contents", changed(stored, "hello", 0, 'j'), "a/x: error: it cannot be read from the zip archive: zip: checksum error"},
		{"wide", wide(stored), "x=hello"},
		{"wide deflated", wide(deflated), "x=" + long},
		{"encrypted", changed(stored, central, 8, 1), "a/x: error: it is encrypted"},
		{"method", changed(stored, central, 10, 99), "a/x: error: it cannot be read from the zip archive: zip: unsupported compression algorithm"},
		{"size", changed(deflated, central, 24, 1, 0), "a/x: error: it cannot be read from the zip archive: zip: not a valid zip file"},
		{"large", changed(stored, central, 24, 1, 0, 0, 4), "a/x: error: the file has 67108865 bytes; the limit for files in archives is 67108864"},
		{"header", changed(stored, local, 0, 'Q'), "no archive"},
		{"place", changed(stored, central, 42, 1), "a/x: error: it cannot be read from the zip archive: zip: not a valid zip file"},
		{"overlap", changed(changed(zipFile(t, zip.Store, "x", long, "y", "1"), central, 20, 0, 16), central, 42, 0, 0), "a: error: the files of the zip archive overlap, or are outside it"},
		{"far", changed(stored, central, 42, 0, 0, 0, 1), "a/x: error: it cannot be read from the zip archive: EOF"},
		{"record", changed(stored, central, 0, 'Q'), "a: error: the zip archive cannot be read: zip: not a valid zip file"},
		{"name", changed(stored, central, 46, '\n'), "%0A=hello"},
		{"names", zipFile(t, zip.Store, `x\y`, "1", "../../z", "2", "a\x84\u0085ö", "3", "a/../b", "4"), "a%84%C2%85ö=3 b=4 x/y=1 z=2"},
		{"no name", zipFile(t, zip.Store, "..", "1", "x", "2"), "x=2"},
		{"cut", stored[:len(stored)-1], "a: error: the zip archive cannot be read: zip: not a valid zip file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(t, c.data); got != c.want {
				t.Errorf("%.200q, want %.200q", got, c.want)
			}
		})
	}
}

// wide returns a zip archive of one file in the form with 64-bit numbers (APPNOTE.TXT 4.3.14, 4.3.15 and 4.5.3).
func wide(data []byte) []byte {
	at, end := bytes.LastIndex(data, []byte("PK\x01\x02")), bytes.Index(data, []byte("PK\x05\x06"))
	record := slices.Clone(data[at:end])
	extra := binary.LittleEndian.AppendUint16(nil, 1)
	extra = binary.LittleEndian.AppendUint16(extra, 24)
	for _, field := range []int{24, 20, 42} { // size, stored size, place
		extra = binary.LittleEndian.AppendUint64(extra, uint64(binary.LittleEndian.Uint32(record[field:])))
		copy(record[field:], "\xff\xff\xff\xff")
	}
	binary.LittleEndian.PutUint16(record[30:], uint16(len(extra)))
	record = append(record, extra...)
	out := append(slices.Clone(data[:at]), record...)
	where := len(out)
	head := append([]byte("PK\x06\x06"), make([]byte, 52)...)
	for i, n := range map[int]int{4: 44, 24: 1, 32: 1, 40: len(record), 48: at} {
		binary.LittleEndian.PutUint64(head[i:], uint64(n))
	}
	out = append(out, head...)
	locator := append([]byte("PK\x06\x07"), make([]byte, 16)...)
	binary.LittleEndian.PutUint64(locator[8:], uint64(where))
	locator[16] = 1 // the number of disks
	out = append(out, locator...)
	tail := append([]byte("PK\x05\x06"), bytes.Repeat([]byte{0xff}, 16)...)
	return append(append(out, tail...), 0, 0)
}

// tarFile returns a tar archive of files, whose names and contents alternate.
func tarFile(t *testing.T, format tar.Format, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	var err error
	for i := 0; i < len(files); i += 2 {
		h := &tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Format: format}
		switch {
		case strings.HasPrefix(files[i], "link"):
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, files[i+1], 0
		case strings.HasSuffix(files[i], "/"):
			h.Typeflag = tar.TypeDir
		}
		err = errors.Join(err, w.WriteHeader(h))
		if h.Size > 0 {
			_, e := w.Write([]byte(files[i+1]))
			err = errors.Join(err, e)
		}
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sum corrects the checksum of a header of a tar archive.
func sum(data []byte, at int) []byte {
	head := data[at:][:512]
	copy(head[148:], "        ")
	total := 0
	for _, c := range head {
		total += int(c)
	}
	copy(head[148:], fmt.Sprintf("%06o\x00", total))
	return data
}

// set returns a tar archive with a field of its first header changed.
func set(data []byte, at int, text string) []byte {
	data = slices.Clone(data)
	copy(data[at:], text)
	return sum(data, 0)
}

const sumError = "the header in the tar archive is damaged: its checksum is wrong"

// gzipFile returns data compressed.
func gzipFile(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cut returns data without the last n bytes.
func cut(data []byte, n int) []byte { return data[:len(data)-n] }

// flip returns data with a change of byte n from the end.
func flip(data []byte, n int) []byte {
	data[len(data)-n] ^= 1
	return data
}

// TestTar checks the contents of tar archives, and the errors for damaged ones.
func TestTar(t *testing.T) {
	split := strings.Repeat("folder/", 30) + "x"
	one := tarFile(t, tar.FormatUSTAR, "x", "hello", "y", "1")
	long := strings.Repeat("ö", 300)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"one", one, "x=hello y=1"},
		{"order", tarFile(t, tar.FormatUSTAR, "b/x", "1", "a", "", "dir/", "", "link", "a", "./c", "3"), "a= b/x=1 c=3"},
		{"twice", tarFile(t, tar.FormatUSTAR, "x", "old", "x", "new"), "x=new"},
		{"prefix", tarFile(t, tar.FormatUSTAR, split, "1", "y", "2"), split + "=1 y=2"},
		{"pax", tarFile(t, tar.FormatPAX, long, "1", "y", "2"), "y=2 " + long + "=1"},
		{"gnu", tarFile(t, tar.FormatGNU, long, "1", "y", "2"), "y=2 " + long + "=1"},
		{"old", set(one, 156, "\x00"), "x=hello y=1"},
		{"oldest", set(one, 257, "\x00\x00\x00\x00\x00\x00\x00\x00"), "x=hello y=1"},
		{"no end", one[:1024], "x=hello"},
		{"no padding", one[:512+5], "x=hello"},
		{"half a header", one[:1024+511], "a: error: file 2, at byte 1024: it is cut off"},
		{"folder with a size", set(set(one, 156, "5"), 124, "77777777777\x00"), "a: error: file 1, at byte 512: " + sumError},
		{"end", one[:512], "a: error: file 1, at byte 0: it is cut off"},
		{"wide size", set(one, 124, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05"), "x=hello y=1"},
		{"pax size", extended(one, "10 size=3\n"), "x=hel y=1"},
		{"checksum", changed(one, "hello", -512, 'q'), "a: error: file 1, at byte 0: " + sumError},
		{"larger checksum", changed(one, "hello", -512, 'z'), "a: error: file 1, at byte 0: " + sumError},
		{"size", set(one, 124, "0000000009\x00"), "a: error: file 1, at byte 0: the header in the tar archive is damaged: its size is not a number"},
		{"negative", set(one, 124, "\xff\xff"), "a: error: file 1, at byte 0: the header in the tar archive is damaged: its size is not a number"},
		{"large", set(one, 124, "77777777777\x00"), "a: error: file 1, at byte 0: it is cut off"},
		{"cut", one[:1024+512], "a: error: file 2, at byte 1024: it is cut off"},
		{"sparse", set(one, 156, "S"), "a: error: file 1, at byte 0: sparse files are not supported"},
		{"sparse pax", extended(one, "22 GNU.sparse.major=1\n"), "a: error: file 1, at byte 0: sparse files are not supported"},
		{"extension", extended(one, "11 size=3\n"), "a: error: file 1, at byte 0: the extended header is damaged"},
		{"negative pax size", extended(one, "11 size=-3\n"), "a: error: file 1, at byte 0: the extended header is damaged: its size is not a number"},
		{"name", set(one, 0, "\x07"), "%07=hello y=1"},
		{"gzip", gzipFile(t, one), "x=hello y=1"},
		{"gzip of text", gzipFile(t, []byte("hello")), "a: error: the compressed file is not a tar archive"},
		{"gzip of zeros", gzipFile(t, make([]byte, 5000)), "a: error: the compressed file is not a tar archive"},
		{"gzip, cut", cut(gzipFile(t, one), 9), "a: error: the compressed file is damaged: unexpected EOF"},
		{"gzip, header", gzipFile(t, one)[:4], "a: error: the compressed file is damaged: unexpected EOF"},
		{"gzip, checksum", flip(gzipFile(t, one), 5), "a: error: the compressed file is damaged: gzip: invalid checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(t, c.data); got != c.want {
				t.Errorf("%.300q, want %.300q", got, c.want)
			}
		})
	}
}

// extended returns an archive with an extended header before the first file.
func extended(data []byte, record string) []byte {
	head := slices.Clone(data[:512])
	head[156] = 'x'
	copy(head[124:], fmt.Sprintf("%011o\x00", len(record)))
	return slices.Concat(sum(head, 0), []byte(record), make([]byte, 512-len(record)), data)
}

// repeated is a file of any size that consists of the same bytes again and again, except for those at its start and its end.
type repeated struct {
	head, block, tail []byte
	size              int64
}

func (r repeated) ReadAt(p []byte, at int64) (n int, err error) {
	if len(p) > int(max(r.size-at, 0)) {
		p, err = p[:max(r.size-at, 0)], io.EOF
	}
	for n < len(p) {
		n += copy(p[n:], r.block[(at+int64(n))%int64(len(r.block)):])
	}
	if at < int64(len(r.head)) {
		copy(p, r.head[at:])
	}
	if tail := r.size - int64(len(r.tail)) - at; tail < int64(len(p)) {
		copy(p[max(tail, 0):], r.tail[max(-tail, 0):])
	}
	return n, err
}

// TestLongDirectory: the directory of a zip archive is not read beyond a limit.
func TestLongDirectory(t *testing.T) {
	const length, records = 1 << 16, archive.MaxIndex>>16 + 2
	record := append([]byte("PK\x01\x02"), make([]byte, length-4)...)
	binary.LittleEndian.PutUint16(record[30:], length-46)
	end := append([]byte("PK\x05\x06"), make([]byte, 18)...)
	binary.LittleEndian.PutUint16(end[10:], records)
	binary.LittleEndian.PutUint32(end[12:], records*length)
	binary.LittleEndian.PutUint32(end[16:], length)
	src := repeated{[]byte("PK\x03\x04"), record, end, (records+1)*length + int64(len(end))}
	const want = "a: error: the zip archive cannot be read: its directory has more than 134217728 bytes"
	if _, err := archive.New("a", src, src.size); err == nil || err.Error() != want {
		t.Error(err)
	}
}
