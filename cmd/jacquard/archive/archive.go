// SPDX-License-Identifier: MIT

package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"jacquard.example"
	"jacquard.example/core/foz"
)

// Archive is an open archive. Several goroutines may use it.
type Archive struct {
	File string // its name
	Foz  *foz.Archive
	src  io.ReaderAt
	// files are the files of a zip or tar archive, and names their names, in order.
	files []*file
	names []string
	isZip bool

	listing sync.Mutex    // of the names, in a Fossilize archive
	mu      sync.Mutex    // of last
	last    *foz.Pipeline // that was read
}

// file is a file in a zip or tar archive.
type file struct {
	name string
	size uint64
	at   int64     // the position of its contents in a tar archive
	zip  *zip.File // nil in a tar archive
}

// Content is the content of a member.
type Content struct {
	Data []byte
	// Stage is the stage of a pipeline whose module Data is, or nil.
	Stage *foz.Stage
}

// sniffed is the number of bytes at the start of a file from which its format is recognized.
const sniffed = 512

func isZip(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06"))
}

// isTar reports whether data begins with a header of the formats of POSIX or GNU, or with one of the older format, which is
// recognized by its checksum.
func isTar(data []byte) bool {
	if len(data) < tarBlock {
		return false
	}
	_, err := tarHeader((*[tarBlock]byte)(data))
	return err == nil || string(data[257:262]) == "ustar"
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}) }

// Open opens an archive. It returns nil if the file is something else.
func Open(name string) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	var a *Archive
	if info, e := f.Stat(); e == nil && info.Mode().IsRegular() {
		a, err = New(name, f, info.Size())
	}
	if a == nil {
		f.Close()
	}
	return a, err
}

// New returns the archive that src contains. It returns nil if src contains something else.
func New(name string, src io.ReaderAt, size int64) (*Archive, error) {
	head := make([]byte, min(sniffed, size))
	if _, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, fileError(name, err)
	}
	a := &Archive{File: name, src: src}
	var err error
	switch {
	case foz.Is(head):
		a.Foz, err = foz.Open(src, size)
	case isZip(head):
		a.isZip = true
		err = a.indexZip(size)
	case isTar(head):
		err = a.indexTar(size)
	case isGzip(head):
		err = a.indexGzip(size)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, fileError(name, err)
	}
	a.sortFiles()
	return a, nil
}

// sortFiles sorts the files by name. Of several with a name the last counts, as if they had been unpacked.
func (a *Archive) sortFiles() {
	last := map[string]*file{}
	for _, f := range a.files {
		if f.name = memberName(f.name); f.name != "" {
			last[f.name] = f
		}
	}
	for name := range last {
		a.names = append(a.names, name)
	}
	slices.Sort(a.names)
	a.files = a.files[:0]
	for _, name := range a.names {
		a.files = append(a.files, last[name])
	}
}

// memberName returns the name of a member for a name in an archive: a relative path without . and .. in it, so that no
// system takes it for a path out of the archive, Spelled so that it can be shown on a line.
func memberName(name string) string {
	return Spelled(path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:]) // ./x, as tar writes it, is x
}

// Spelled returns a name that can be shown on a line: bytes of control characters, and bytes that are not UTF-8, become %XX.
func Spelled(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) {
			for _, c := range []byte(name[:n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

// Names returns the names of all members in order.
func (a *Archive) Names(ctx context.Context) ([]string, error) {
	if a.Foz == nil {
		return a.names, nil
	}
	a.listing.Lock()
	defer a.listing.Unlock()
	if a.names != nil {
		return a.names, nil
	}
	names, err := a.shaderNames(ctx)
	if err == nil {
		a.names = names
	}
	return names, err
}

// Below returns the names of the members in a folder or below; in a Fossilize archive, of the stages of a pipeline. If
// the name is a member's, it is the only one.
func (a *Archive) Below(name string) (names []string) {
	if a.Foz != nil {
		return a.stagesOf(name)
	}
	at, ok := slices.BinarySearch(a.names, name)
	if ok {
		return []string{name}
	}
	for _, found := range a.names[at:] {
		if strings.HasPrefix(found, name+"/") {
			names = append(names, found)
		} else if !strings.HasPrefix(found, name) {
			break
		}
	}
	return names
}

// Read returns the content of a member.
func (a *Archive) Read(name string) (*Content, error) {
	if a.Foz != nil {
		c, err := a.readShader(name)
		if err != nil {
			return nil, fileError(a.File+"/"+name, err)
		}
		return c, nil
	}
	i, ok := slices.BinarySearch(a.names, name)
	if !ok {
		return nil, a.errorf("the archive has no file %q", name)
	}
	data, err := a.contents(a.files[i])
	if err != nil {
		return nil, fileError(a.File+"/"+name, err)
	}
	return &Content{Data: data}, nil
}

// contents returns the contents of a file.
func (a *Archive) contents(f *file) ([]byte, error) {
	if f.size > MaxMember {
		return nil, fmt.Errorf("the file has %d bytes; the limit for files in archives is %d", f.size, uint64(MaxMember))
	}
	if f.zip != nil {
		return unzip(f.zip)
	}
	data := make([]byte, f.size)
	if n, err := a.src.ReadAt(data, f.at); n < len(data) {
		return nil, err
	}
	return data, nil
}

// errorf returns an error about the archive.
func (a *Archive) errorf(format string, args ...any) error {
	return &jacquard.Error{File: a.File, Msg: fmt.Sprintf(format, args...)}
}

// fileError returns an error about a file, with the cause in err.
func fileError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}
