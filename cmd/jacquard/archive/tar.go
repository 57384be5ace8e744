// SPDX-License-Identifier: MIT

package archive

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The format of tar is documented in POSIX.1-2017, "pax", and in the manual of GNU tar, "Basic Tar Format".

// tarBlock is the unit of a tar archive, and the size of a header.
const tarBlock = 512

// maxExtension is the size in bytes of the largest extended header that is read.
const maxExtension = 1 << 20

// indexTar lists the files of a tar archive of size bytes.
func (a *Archive) indexTar(size int64) error {
	var head [tarBlock]byte
	var name string // of the next file, by a header of its own
	long := int64(-1)
	for at := int64(0); at < size; {
		if size-at < tarBlock {
			return fmt.Errorf("file %d, at byte %d: it is cut off", len(a.files)+1, at)
		}
		if n, err := a.src.ReadAt(head[:], at); n < len(head) {
			return err
		}
		if head == [tarBlock]byte{} { // the end
			return nil
		}
		n, err := tarHeader(&head)
		if err != nil {
			return fmt.Errorf("file %d, at byte %d: %w", len(a.files)+1, at, err)
		}
		kind := head[156]
		isFile := kind == '0' || kind == 0 || kind == '7'
		switch {
		case isFile && long >= 0:
			n = long
		case kind >= '1' && kind <= '6': // links, devices and folders have no contents, whatever their size
			n = 0
		}
		if at += tarBlock; n > size-at {
			return fmt.Errorf("file %d, at byte %d: it is cut off", len(a.files)+1, at-tarBlock)
		}
		switch {
		case kind == 'L' || kind == 'x':
			if name, long, err = a.tarExtension(kind, at, n, name, long); err != nil {
				return fmt.Errorf("file %d, at byte %d: %w", len(a.files)+1, at-tarBlock, err)
			}
		case kind == 'S':
			return fmt.Errorf("file %d, at byte %d: %w", len(a.files)+1, at-tarBlock, errSparse)
		case isFile:
			if name == "" {
				name = tarName(&head)
			}
			if !strings.HasSuffix(name, "/") { // a folder in old archives
				a.files = append(a.files, &file{name: name, size: uint64(n), at: at})
			}
			fallthrough
		case kind != 'K' && kind != 'g':
			name, long = "", -1
		}
		at += (n + tarBlock - 1) &^ (tarBlock - 1)
	}
	return nil
}

var errSparse = errors.New("sparse files are not supported")

// tarHeader checks a header and returns the size of what follows it.
func tarHeader(head *[tarBlock]byte) (int64, error) {
	sum := int64(8 * ' ') // the field of the sum itself counts as blanks
	for i, c := range head {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	if want, ok := tarNumber(head[148:156]); !ok || want != sum {
		return 0, errors.New("the header in the tar archive is damaged: its checksum is wrong")
	}
	n, ok := tarNumber(head[124:136])
	if !ok {
		return 0, errors.New("the header in the tar archive is damaged: its size is not a number")
	}
	return n, nil
}

// tarNumber decodes a number: octal digits or, by GNU, big-endian after a first byte of 0x80.
func tarNumber(field []byte) (int64, bool) {
	if field[0] == 0x80 {
		n := binary.BigEndian.Uint64(field[len(field)-8:])
		return int64(n), n < 1<<62
	}
	digits := strings.Trim(string(field), " \x00")
	n, err := strconv.ParseInt("0"+digits, 8, 64)
	return n, err == nil && n >= 0
}

// tarName returns the name in a header.
func tarName(head *[tarBlock]byte) string {
	name := cString(head[:100])
	if prefix := cString(head[345:500]); prefix != "" && head[262] == 0 { // of POSIX; GNU has other fields there
		return prefix + "/" + name
	}
	return name
}

func cString(field []byte) string {
	text, _, _ := bytes.Cut(field, []byte{0})
	return string(text)
}

// tarExtension reads an extended header of n bytes: the name of the next file, or records of the form "LENGTH KEY=VALUE".
func (a *Archive) tarExtension(kind byte, at, n int64, name string, long int64) (string, int64, error) {
	if n > maxExtension {
		return name, long, fmt.Errorf("the extended header has %d bytes; the limit is %d", n, maxExtension)
	}
	data := make([]byte, n)
	if got, err := a.src.ReadAt(data, at); got < len(data) {
		return name, long, err
	}
	if kind == 'L' {
		return cString(data), long, nil
	}
	for len(data) > 0 {
		digits, _, _ := bytes.Cut(data, []byte(" "))
		length, err := strconv.Atoi(string(digits))
		if err != nil || length <= len(digits)+1 || length > len(data) {
			return name, long, errors.New("the extended header is damaged")
		}
		key, value, _ := strings.Cut(strings.TrimSuffix(string(data[len(digits)+1:length]), "\n"), "=")
		data = data[length:]
		switch {
		case key == "path":
			name = value
		case key == "size":
			if long, err = strconv.ParseInt(value, 10, 64); err != nil || long < 0 {
				return name, long, errors.New("the extended header is damaged: its size is not a number")
			}
		case strings.HasPrefix(key, "GNU.sparse."):
			return name, long, errSparse
		}
	}
	return name, long, nil
}

// indexGzip lists the files of a compressed tar archive. It decompresses the archive twice, first to learn its size.
func (a *Archive) indexGzip(size int64) error {
	src := io.NewSectionReader(a.src, 0, size)
	z, err := gzip.NewReader(src)
	if err != nil {
		return fmt.Errorf("the compressed file is damaged: %w", err)
	}
	var head [tarBlock]byte
	n, err := io.ReadFull(z, head[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF || err == nil && !isTar(head[:]) {
		return errors.New("the compressed file is not a tar archive")
	}
	total := int64(n)
	if err == nil {
		var rest int64
		rest, err = io.Copy(io.Discard, io.LimitReader(z, MaxTar+1-total))
		total += rest
	}
	if total > MaxTar {
		return fmt.Errorf("the archive has more than %d bytes after decompression; decompress it first", int64(MaxTar))
	}
	var data []byte
	if err == nil {
		data = make([]byte, total)
		src.Seek(0, io.SeekStart) // cannot fail
		if err = z.Reset(src); err == nil {
			_, err = io.ReadFull(z, data)
		}
	}
	if err != nil {
		return fmt.Errorf("the compressed file is damaged: %w", err)
	}
	a.src = bytes.NewReader(data)
	return a.indexTar(total)
}
