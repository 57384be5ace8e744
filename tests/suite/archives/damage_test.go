// SPDX-License-Identifier: MIT

package archives

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"jacquard.example/tests/support/fozfile"
	"jacquard.example/tests/support/variants"
)

// Limits for a small damaged archive. A number of bytes is what reading it allocates, so that less of it is in use.
const (
	mostBytes = 64 << 20
	mostTime  = time.Minute
)

// count returns the number of archives to try, and the seed. The environment variable has both: FOZ="20000 7".
func count(variable string, n int) (int, uint64) {
	seed := uint64(1)
	if s := os.Getenv(variable); s != "" {
		fmt.Sscan(s, &n, &seed)
	}
	return n, seed
}

// damaged reads n archives that damage makes, and checks that enough of them are refused, and enough can be read in part.
func damaged(t *testing.T, n int, seed uint64, damage func(*rand.Rand, int) []byte) {
	var refused, members, bad, compiled, failed int
	var bytes uint64
	var took time.Duration
	for i := range n {
		data := damage(rand.New(rand.NewPCG(seed, uint64(i))), i)
		done := make(chan Result, 1)
		go func() { done <- Read(data, true) }()
		var r Result
		select {
		case r = <-done:
		case <-time.After(mostTime):
			r.Defect = "reading it does not end"
		}
		if r.Bytes > mostBytes {
			r.Defect = fmt.Sprintf("reading it allocates %d bytes", r.Bytes)
		}
		if r.Defect != "" {
			t.Errorf("archive %d/%d: %s", seed, i, r.Defect)
			if dir := os.Getenv("KEEP"); dir != "" {
				os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d_%d", seed, i)), data, 0o644)
			}
			if failed++; failed == 10 {
				t.FailNow()
			}
		}
		if r.Refused {
			refused++
		}
		members += r.Members
		bad += r.Bad
		compiled += r.Compiled
		bytes, took = max(bytes, r.Bytes), max(took, r.Took)
	}
	t.Logf("of %d archives %d are refused; of %d members in the others %d cannot be read, %d compile; "+
		"at most %.1f MiB allocated by reading one, and %v for reading and compiling; peak memory of the process %d MiB", n, refused,
		members, bad, compiled, float64(bytes)/(1<<20), took.Round(time.Millisecond), peak()>>20)
	if refused < n/50 || bad < n/50 || compiled < n/4 {
		t.Error("the damage is too great or too small")
	}
}

// peak returns the peak memory of the process, where Linux tells it.
func peak() int64 {
	data, _ := os.ReadFile("/proc/self/status")
	_, text, _ := strings.Cut(string(data), "VmHWM:")
	var kib int64
	fmt.Sscan(text, &kib)
	return kib << 10
}

// TestDamagedFossilize: a damaged Fossilize archive causes no panic, and reading it takes bounded time and memory.
func TestDamagedFossilize(t *testing.T) {
	n, seed := count("FOZ", 500)
	samples := [][]fozfile.Entry{fozfile.Graphics(), fozfile.Compute()}
	hand := fozfile.Hand()
	damaged(t, n, seed, func(rng *rand.Rand, i int) []byte {
		if i%8 == 7 {
			return Bytes(rng, hand)
		}
		return Foz(rng, samples[i%2])
	})
}

// TestDamagedPacked: the same for zip, tar and compressed tar files.
func TestDamagedPacked(t *testing.T) {
	n, seed := count("PACKED", 300)
	z, w := zipped(t), tarred(t)
	damaged(t, n, seed, func(rng *rand.Rand, i int) []byte {
		switch i % 4 {
		case 0:
			return Bytes(rng, z)
		case 1:
			return Tar(rng, w)
		case 2:
			return gzipped(t, Tar(rng, w))
		}
		return Bytes(rng, gzipped(t, w))
	})
}

// FuzzArchive: no archive causes a panic.
func FuzzArchive(f0 *testing.F) {
	f := variants.Of(f0)
	for _, data := range [][]byte{fozfile.File(fozfile.Graphics()), fozfile.File(fozfile.Compute()), fozfile.Hand(), zipped(f0), tarred(f0)} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r := Read(data, false); r.Defect != "" {
			t.Error(r.Defect)
		}
	})
}

// names are the names of the files in the zip and tar archives.
var names = []string{"a/saxpy.spv", "notes.txt", "empty.spv", "bitonic.comp.spv"}

// contents returns the contents of one of these files.
func contents(t testing.TB, name string) []byte {
	file := map[string]string{"a/saxpy.spv": "saxpy.comp.spv", "bitonic.comp.spv": "bitonic.comp.spv"}[name]
	if file == "" {
		return []byte(name)[:len(name)%9]
	}
	data, err := os.ReadFile("../../shaders/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func zipped(t testing.TB) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		data := contents(t, name)
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		if name == "a/saxpy.spv" {
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t testing.TB) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		data := contents(t, name)
		if name == "notes.txt" { // a name that takes a header of its own
			name = string(bytes.Repeat([]byte("long/"), 60)) + name
		}
		err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
