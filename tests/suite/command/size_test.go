// SPDX-License-Identifier: MIT

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sizeLimit is the maximum size in bytes of the stripped command on a 64-bit machine: 12,500,000 with three targets; each
// new target may add 400,000. hsw is the fourth, dg2 the fifth, lnl the sixth.
const sizeLimit = 13_700_000

// TestSize builds the command as it is released, except that paths are not trimmed, which makes it a little larger and builds
// no package twice.
func TestSize(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jacquard")
	c := exec.Command("go", "build", "-ldflags", "-s -w", "-o", file, "jacquard.example/cmd/jacquard")
	c.Env = append(os.Environ(), "GOARCH=amd64", "GOOS=linux", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > sizeLimit {
		t.Errorf("the command has %d bytes, more than %d", info.Size(), sizeLimit)
	}
	t.Logf("%d bytes", info.Size())
}
