// SPDX-License-Identifier: MIT

package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// indexZip lists the files of a zip archive of size bytes.
func (a *Archive) indexZip(size int64) error {
	src := &listing{src: a.src, left: MaxIndex}
	z, err := zip.NewReader(src, size)
	if err != nil {
		return fmt.Errorf("the zip archive cannot be read: %w", err)
	}
	src.done = true
	left := uint64(size)
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		if f.CompressedSize64 > left { // otherwise a small archive could have any amount of contents
			return errors.New("the files of the zip archive overlap, or are outside it")
		}
		left -= f.CompressedSize64
		f.Extra, f.Comment = nil, "" // of no use, and there may be much of it
		a.files = append(a.files, &file{name: f.Name, size: f.UncompressedSize64, zip: f})
	}
	return nil
}

// listing is a zip archive of which only so many bytes may be read until its directory has been.
type listing struct {
	src  io.ReaderAt
	left int64
	done bool
}

func (l *listing) ReadAt(p []byte, at int64) (int, error) {
	if !l.done {
		if l.left -= int64(len(p)); l.left < 0 {
			return 0, fmt.Errorf("its directory has more than %d bytes", int64(MaxIndex))
		}
	}
	return l.src.ReadAt(p, at)
}

// unzip returns the contents of a file, which has at most MaxMember bytes.
func unzip(f *zip.File) ([]byte, error) {
	const encrypted = 1 // APPNOTE.TXT 4.4.4, bit 0
	if f.Flags&encrypted != 0 {
		return nil, errors.New("it is encrypted")
	}
	r, err := f.Open()
	var data bytes.Buffer
	if err == nil {
		defer r.Close()
		_, err = data.ReadFrom(r) // an error after more than f.UncompressedSize64 bytes
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be read from the zip archive: %w", err)
	}
	return data.Bytes(), nil
}
