// SPDX-License-Identifier: MIT

package amber

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"path"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
)

// file parses the path of a file and reads the file.
func (p *parser) file(cmd string) ([]byte, error) {
	t, err := p.path(cmd)
	if err != nil {
		return nil, err
	}
	if p.dir == nil {
		return nil, p.errorf(t.pos, "%s: this script cannot read files", t)
	}
	if !fs.ValidPath(path.Clean(t.text)) {
		return nil, p.errorf(t.pos, "%s is not a path inside the script's directory", t)
	}
	f, err := p.dir.Open(path.Clean(t.text))
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, p.errorf(t.pos, "%s: %s", t, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	switch {
	case err != nil:
		return nil, p.errorf(t.pos, "%s: %s", t, err)
	case len(data) > maxBytes:
		return nil, p.errorf(t.pos, "%s is larger than %d MiB", t, maxBytes>>20)
	}
	return data, nil
}

// bufferFile reads the rest of FILE [BINARY|TEXT|PNG] path for a buffer whose size is known. A larger binary or text file
// enlarges a buffer, but is an error for an image. A picture must have the size.
func (p *parser) bufferFile(b *runner.Buffer) error {
	form := p.peek()
	switch {
	case form.is("TEXT"), form.is("BINARY"), form.is("PNG"):
		p.next()
	}
	data, err := p.file("FILE")
	if err != nil {
		return err
	}
	size := b.Layout.Size
	switch {
	case form.is("TEXT"):
		if err := p.textFile(b, form.pos, data); err != nil {
			return err
		}
	case form.is("BINARY"):
		if err := p.grow(b, form.pos, (len(data)+size-1)/size); err != nil {
			return err
		}
		b.Init.Raw = data
	default:
		m := &runner.Image{}
		raw, why := decodePNG(b, m, data)
		if why == "" && len(raw) != b.Bytes() {
			why = "has a different size than the image"
		}
		if why != "" {
			return p.errorf(form.pos, "the picture %s", why)
		}
		b.Init.Raw = raw
	}
	return p.endOfLine("FILE")
}

// grow enlarges a buffer to at least n elements.
func (p *parser) grow(b *runner.Buffer, pos runner.Pos, n int) error {
	if n <= b.Count {
		return nil
	}
	if b.Image != nil {
		return p.errorf(pos, "the file has %d texels, but the image has %d", n, b.Count)
	}
	p.bytes -= b.Bytes()
	return p.setCount(b, uint64(n), pos)
}

// textFile reads values in the syntax of DATA.
func (p *parser) textFile(b *runner.Buffer, pos runner.Pos, data []byte) error {
	segs := b.Layout.Segments
	l := lexer{src: string(data), line: 1, meter: p.meter}
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokEOL {
			continue
		}
		n, why := runner.Literal(t.text, segs[len(b.Init.Values)%len(segs)].Scalar)
		if why != "" {
			return p.errorf(pos, "line %d of the file: %s %s", t.pos.Line, t, why)
		}
		b.Init.Values = append(b.Init.Values, n)
	}
	return p.grow(b, pos, (len(b.Init.Values)+len(segs)-1)/len(segs))
}

// pngImage reads PNG path after BUFFER … FORMAT … FILE: the picture determines the
// size.
func (p *parser) pngImage(cmd token, b *runner.Buffer, m *runner.Image) error {
	if err := p.keyword("PNG"); err != nil {
		return err
	}
	data, err := p.file("FILE")
	if err != nil {
		return err
	}
	raw, why := decodePNG(b, m, data)
	if why != "" {
		return p.errorf(cmd.pos, "the picture %s", why)
	}
	b.Init.Raw = raw
	end := p.next()
	if !end.ends() {
		return p.errorf(end.pos, "nothing may follow the path of FILE on its line, found %s", end)
	}
	return p.finishImage(cmd, b, m, end)
}

// decodePNG converts a picture to texels, and sets the image's size. If it cannot, why continues a message that starts
// with "the picture".
func decodePNG(b *runner.Buffer, m *runner.Image, data []byte) (raw []byte, why string) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, "cannot be read: " + err.Error()
	}
	if config.Width > 1<<14 || config.Height > 1<<14 {
		return nil, "is too big"
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, "cannot be read: " + err.Error()
	}
	f, err := b.Format()
	if err != nil {
		return nil, "has another format: " + err.Error()
	}
	m.Width, m.Height = uint32(config.Width), uint32(config.Height)
	raw = make([]byte, config.Width*config.Height*f.Bytes)
	at := 0
	box := picture.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			var c [4]uint32
			c[0], c[1], c[2], c[3] = picture.At(x, y).RGBA()
			var t texture.Texel
			for i := range c {
				v := float64(c[i])
				if i < 3 && c[3] != 0 { // RGBA returns alpha-premultiplied values
					v = v / float64(c[3]) * 0xffff
				}
				t.SetFloat(i, float32(v/0xffff))
			}
			f.Encode(raw[at:at+f.Bytes], &t)
			at += f.Bytes
		}
	}
	return raw, ""
}
