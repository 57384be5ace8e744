// SPDX-License-Identifier: MIT

package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// tarBlock is the unit of a tar archive, and the size of a header.
const tarBlock = 512

// indexTar lists the files of a tar archive of size bytes.
func (a *Archive) indexTar(size int64) error {
	src := io.NewSectionReader(a.src, 0, size)
	r := tar.NewReader(src)
	for number := 1; ; number++ {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("entry %d of the tar archive cannot be read: %w", number, err)
		case isSparse(h):
			return fmt.Errorf("entry %d of the tar archive is a sparse file, which is not supported", number)
		case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeCont:
			continue
		}
		at, _ := src.Seek(0, io.SeekCurrent) // the reader has read the header, and no more
		if h.Size > size-at {
			return fmt.Errorf("entry %d of the tar archive is cut off", number)
		}
		a.files = append(a.files, &file{name: h.Name, size: uint64(h.Size), at: at})
	}
}

// isSparse reports whether only parts of a file are stored, by GNU tar in one of its formats.
func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
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
