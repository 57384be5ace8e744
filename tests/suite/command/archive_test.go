// SPDX-License-Identifier: MIT

package command

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"jacquard.example/tests/support/fozfile"
)

func fozFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: foz OUT NAME")
	}
	compute := fozfile.File(fozfile.Compute())
	second := len(fozfile.File(fozfile.Compute()[:1]))
	data := map[string][]byte{
		"graphics": fozfile.File(fozfile.Graphics()), "compute": compute, "hand": fozfile.Hand(),
		"short": compute[:13], "broken": slices.Concat(compute[:second], []byte("broken"), compute[second+6:]),
	}[args[1]]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// pack writes archives.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pack OUT FILE…")
	}
	out, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	var add func(name string, data []byte) error
	var closers []io.Closer
	var w io.Writer = out
	switch filepath.Ext(args[0]) {
	case ".zip":
		z := zip.NewWriter(out)
		closers = append(closers, z)
		add = func(name string, data []byte) error {
			f, err := z.Create(name)
			if err == nil {
				_, err = f.Write(data)
			}
			return err
		}
	case ".tgz":
		z := gzip.NewWriter(out)
		closers = append(closers, z)
		w = z
		fallthrough
	case ".tar":
		t := tar.NewWriter(w)
		closers = append([]io.Closer{t}, closers...)
		add = func(name string, data []byte) error {
			err := t.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644})
			if err == nil {
				_, err = t.Write(data)
			}
			return err
		}
	default:
		ts.Fatalf("unknown format of %s", args[0])
	}
	for _, name := range args[1:] {
		ts.Check(add(name, []byte(ts.ReadFile(name))))
	}
	for _, c := range append(closers, out) {
		ts.Check(c.Close())
	}
}
