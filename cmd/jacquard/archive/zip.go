// SPDX-License-Identifier: MIT

package archive

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// The format of zip is documented in APPNOTE.TXT of PKWARE; the numbers in comments are its sections.

// zipped is the place of a file in a zip archive.
type zipped struct {
	method, flags uint16
	crc           uint32
	stored        int64 // size in the archive
}

// The methods of compression that are read (4.4.5).
const (
	methodStored   = 0
	methodDeflated = 8
)

// Sizes of records without their variable parts.
const (
	zipEnd       = 22 // 4.3.16
	zip64Locator = 20 // 4.3.15
	zip64End     = 56 // 4.3.14
	zipCentral   = 46 // 4.3.12
	zipLocal     = 30 // 4.3.7
)

var errZip = errors.New("the zip archive is damaged: it has no directory at its end")

// indexZip lists the files of a zip archive of size bytes.
func (a *Archive) indexZip(size int64) error {
	directory, err := a.zipDirectory(size)
	if err != nil {
		return err
	}
	var total int64
	for number := 1; len(directory) > 0; number++ {
		n := 0
		if len(directory) >= zipCentral && string(directory[:4]) == "PK\x01\x02" {
			for _, at := range []int{28, 30, 32} { // name, extra, comment
				n += int(binary.LittleEndian.Uint16(directory[at:]))
			}
		}
		if n += zipCentral; n > len(directory) || string(directory[:4]) != "PK\x01\x02" {
			return fmt.Errorf("file %d: its record in the directory of the zip archive is damaged", number)
		}
		f := centralRecord(directory[:n])
		if directory = directory[n:]; f == nil {
			continue
		}
		if f.zip.stored < 0 || f.size < 0 || f.at < 0 || f.zip.stored > size || f.at > size-f.zip.stored {
			return fmt.Errorf("file %d: it is outside the archive", number)
		}
		if total += f.zip.stored; total > size { // otherwise a small archive could have any amount of contents
			return errors.New("the files of the zip archive overlap")
		}
		a.files = append(a.files, f)
	}
	return nil
}

// zipDirectory returns the central directory.
func (a *Archive) zipDirectory(size int64) ([]byte, error) {
	const comment = 1<<16 - 1
	tail := make([]byte, min(size, zip64Locator+zipEnd+comment))
	if _, err := a.src.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, err
	}
	end := len(tail) - zipEnd
	for ; ; end-- {
		if end < 0 {
			return nil, errZip
		}
		if string(tail[end:][:4]) == "PK\x05\x06" && int(binary.LittleEndian.Uint16(tail[end+20:])) == len(tail)-end-zipEnd {
			break
		}
	}
	length, at := int64(binary.LittleEndian.Uint32(tail[end+12:])), int64(binary.LittleEndian.Uint32(tail[end+16:]))
	if l := end - zip64Locator; l >= 0 && string(tail[l:][:4]) == "PK\x06\x07" {
		var record [zip64End]byte
		where := int64(binary.LittleEndian.Uint64(tail[l+8:]))
		if where < 0 || where > size-zip64End {
			return nil, errZip
		}
		if _, err := a.src.ReadAt(record[:], where); err != nil || string(record[:4]) != "PK\x06\x06" {
			return nil, errZip
		}
		length, at = int64(binary.LittleEndian.Uint64(record[40:])), int64(binary.LittleEndian.Uint64(record[48:]))
	}
	if length < 0 || at < 0 || length > size || at > size-length {
		return nil, errZip
	}
	if length > MaxIndex {
		return nil, fmt.Errorf("the directory of the zip archive has %d bytes; the limit is %d", length, MaxIndex)
	}
	directory := make([]byte, length)
	if n, err := a.src.ReadAt(directory, at); n < len(directory) {
		return nil, err
	}
	return directory, nil
}

// centralRecord decodes a record of the central directory. It returns nil if the record is not of a file.
func centralRecord(data []byte) *file {
	const unix, typeMask, regular = 3, 0xf000, 0x8000
	name := string(data[zipCentral:][:binary.LittleEndian.Uint16(data[28:])])
	mode := binary.LittleEndian.Uint16(data[40:]) // of a file that was written on Unix (4.4.15)
	if strings.HasSuffix(name, "/") || data[5] == unix && mode&typeMask != 0 && mode&typeMask != regular {
		return nil
	}
	f := &file{
		name: name, size: int64(binary.LittleEndian.Uint32(data[24:])), at: int64(binary.LittleEndian.Uint32(data[42:])),
		zip: &zipped{
			flags: binary.LittleEndian.Uint16(data[8:]), method: binary.LittleEndian.Uint16(data[10:]),
			crc: binary.LittleEndian.Uint32(data[16:]), stored: int64(binary.LittleEndian.Uint32(data[20:])),
		},
	}
	extra := data[zipCentral+len(name):][:binary.LittleEndian.Uint16(data[30:])]
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			break
		}
		if id == 1 { // 64-bit numbers in place of those that are all ones (4.5.3)
			wide := extra[:n]
			for _, p := range []*int64{&f.size, &f.zip.stored, &f.at} {
				if *p == 0xffffffff && len(wide) >= 8 {
					*p, wide = int64(binary.LittleEndian.Uint64(wide)), wide[8:]
				}
			}
		}
		extra = extra[n:]
	}
	return f
}

// unzip returns the contents of a file, which has at most MaxMember bytes.
func (a *Archive) unzip(f *file) ([]byte, error) {
	var head [zipLocal]byte
	if _, err := a.src.ReadAt(head[:], f.at); err != nil || string(head[:4]) != "PK\x03\x04" {
		return nil, errors.New("its header in the zip archive is damaged")
	}
	switch {
	case f.zip.flags&1 != 0:
		return nil, errors.New("it is encrypted")
	case f.zip.method != methodStored && f.zip.method != methodDeflated:
		return nil, fmt.Errorf("its method of compression in the zip archive, %d, is not supported", f.zip.method)
	}
	at := f.at + zipLocal + int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
	var r io.Reader = io.NewSectionReader(a.src, at, f.zip.stored)
	if f.zip.method == methodDeflated {
		r = flate.NewReader(r)
	}
	var data bytes.Buffer
	switch n, err := data.ReadFrom(io.LimitReader(r, f.size+1)); {
	case err != nil:
		return nil, err
	case n != f.size:
		return nil, fmt.Errorf("it does not have the %d bytes that the directory of the zip archive states", f.size)
	case crc32.ChecksumIEEE(data.Bytes()) != f.zip.crc:
		return nil, errors.New("its checksum is wrong")
	}
	return data.Bytes(), nil
}
