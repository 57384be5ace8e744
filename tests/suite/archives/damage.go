// SPDX-License-Identifier: MIT

package archives

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strconv"

	"jacquard.example/tests/support/fozfile"
)

// Sizes of a Fossilize archive's parts, which the tests do not take from the reader.
const (
	fozHeader = 16
	fozEntry  = 56
)

// numbers are values at limits.
var numbers = []uint32{0, 1, 2, 3, 4, 7, 8, 55, 56, 0x7f, 0xff, 0xffff, 1 << 20, 1 << 26, 1<<26 + 1, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 1}

// Foz returns a Fossilize archive with the entries after one to three changes at random, of bytes, headers or payloads.
func Foz(rng *rand.Rand, entries []fozfile.Entry) []byte {
	entries = slices.Clone(entries)
	for range rng.IntN(3) {
		changeEntries(rng, &entries)
	}
	file := fozfile.File(entries)
	for range rng.IntN(3) {
		file = changeHeader(rng, file)
	}
	if rng.IntN(2) == 0 {
		file = Bytes(rng, file)
	}
	return file
}

// changeEntries changes, removes, copies or exchanges entries. Checksums fit, so that the change arrives at the decoders.
func changeEntries(rng *rand.Rand, list *[]fozfile.Entry) {
	if len(*list) == 0 {
		return
	}
	i, k := rng.IntN(len(*list)), rng.IntN(len(*list))
	e := &(*list)[i]
	switch rng.IntN(12) {
	case 0:
		*list = slices.Delete(*list, i, i+1)
	case 1:
		*list = append(*list, *e)
	case 2:
		e.Payload = (*list)[k].Payload
	case 3:
		e.Tag = rng.IntN(12)
	case 4:
		e.Hash = (*list)[k].Hash
	case 5:
		e.Deflate, e.Sum = !e.Deflate, !e.Sum
	case 6:
		e.Payload = Bytes(rng, e.Payload)
	default:
		e.Payload = changeJSON(rng, e.Payload)
	}
}

// changeHeader changes a number in the header of an entry, which it finds by its digits.
func changeHeader(rng *rand.Rand, file []byte) []byte {
	var at []int
	for next := fozHeader; next+fozEntry <= len(file); {
		at = append(at, next)
		next += fozEntry + int(binary.LittleEndian.Uint32(file[next+40:]))
	}
	if len(at) == 0 {
		return file
	}
	file = slices.Clone(file)
	head := file[at[rng.IntN(len(at))]:]
	switch field := head[40+4*rng.IntN(4):]; rng.IntN(4) {
	case 0:
		binary.LittleEndian.PutUint32(field, numbers[rng.IntN(len(numbers))])
	case 1:
		binary.LittleEndian.PutUint32(field, binary.LittleEndian.Uint32(field)+rng.Uint32N(9)-4)
	case 2: // the compressed payload, with its checksum
		stored := int(binary.LittleEndian.Uint32(head[40:]))
		if stored == 0 || fozEntry+stored > len(head) {
			return file
		}
		payload := head[fozEntry:][:stored]
		payload[rng.IntN(stored)] ^= 1 << rng.IntN(8)
		binary.LittleEndian.PutUint32(head[48:], crc32.ChecksumIEEE(payload))
	case 3:
		head[rng.IntN(40)] = "0123456789abcdefFg \x00"[rng.IntN(20)]
	}
	return file
}

// changeJSON changes a word, a number or a character of the JSON of a payload, or what follows the JSON.
func changeJSON(rng *rand.Rand, payload []byte) []byte {
	text, tail, hasTail := bytes.Cut(payload, []byte{0})
	tokens := tokensOf(text)
	if len(tokens) == 0 {
		return payload
	}
	i, k := rng.IntN(len(tokens)), rng.IntN(len(tokens))
	switch rng.IntN(9) {
	case 0:
		tokens[i] = nil
	case 1:
		tokens[i] = tokens[k]
	case 2:
		tokens[i], tokens[k] = tokens[k], tokens[i]
	case 3:
		tokens[i] = strconv.AppendUint(nil, uint64(numbers[rng.IntN(len(numbers))]), 10)
	case 4:
		others := []string{"null", "{}", "[]", "-1", "1e9", "18446744073709551616", `""`, `"=="`, `"ffffffffffffffff"`, "[[[[[[[[", `{"a":`}
		tokens[i] = []byte(others[rng.IntN(len(others))])
	case 5:
		tokens[i] = bytes.Repeat(tokens[i], 1+rng.IntN(300))
	case 6: // a number inside a word or a number
		tokens[i] = Bytes(rng, tokens[i])
	default:
		if hasTail {
			tail = Bytes(rng, tail)
		} else {
			tokens[i] = Bytes(rng, tokens[i])
		}
	}
	payload = bytes.Join(tokens, nil)
	if hasTail {
		payload = append(append(payload, 0), tail...)
	}
	return payload
}

// tokensOf cuts JSON into strings, numbers and other characters.
func tokensOf(text []byte) (tokens [][]byte) {
	for len(text) > 0 {
		n := 1
		switch c := text[0]; {
		case c == '"':
			for n < len(text) && text[n] != '"' {
				n++
			}
			n = min(n+1, len(text))
		case c == '-' || c >= '0' && c <= '9':
			for n < len(text) && text[n] >= '0' && text[n] <= '9' {
				n++
			}
		}
		tokens, text = append(tokens, text[:n:n]), text[n:]
	}
	return tokens
}

// Bytes returns data after one to four changes of bytes at random.
func Bytes(rng *rand.Rand, data []byte) []byte {
	data = slices.Clone(data)
	for range 1 + rng.IntN(4) {
		if len(data) == 0 {
			return data
		}
		at := rng.IntN(len(data))
		n := rng.IntN(min(len(data)-at, 64) + 1)
		switch rng.IntN(7) {
		case 0:
			data[at] = byte(rng.Uint32())
		case 1:
			data[at] ^= 1 << rng.IntN(8)
		case 2:
			data = data[:at]
		case 3:
			data = slices.Delete(data, at, at+n)
		case 4:
			data = slices.Insert(data, at, data[at:at+n]...)
		case 5:
			if at+4 <= len(data) {
				binary.LittleEndian.PutUint32(data[at:], numbers[rng.IntN(len(numbers))])
			}
		case 6:
			copy(data[at:at+n], data[rng.IntN(len(data)):])
		}
	}
	return data
}

// Tar returns a tar archive after one change of a block, with a checksum that fits if the block is a header.
func Tar(rng *rand.Rand, data []byte) []byte {
	const block, sum = 512, 148
	data = slices.Clone(data)
	b := data[rng.IntN(len(data)/block)*block:][:block]
	if string(b[257:262]) == "ustar" {
		copy(b, append(Bytes(rng, b), make([]byte, block)...))
		for i := range 8 {
			b[sum+i] = ' '
		}
		total := 0
		for _, c := range b {
			total += int(c)
		}
		copy(b[sum:], fmt.Sprintf("%06o", total))
	}
	return data
}
