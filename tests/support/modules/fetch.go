// SPDX-License-Identifier: MIT

package modules

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Cache returns the folder in which packages and modules are kept.
func Cache() (string, error) {
	if dir := os.Getenv("JACQUARD_CORPUS"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "jacquard-corpus"), nil
}

// UnreachableError reports that a package cannot be downloaded: its registry does not respond, or does not have it.
type UnreachableError struct {
	URL string
	Err error
}

func (e *UnreachableError) Error() string { return "the corpus needs " + e.URL + ": " + e.Err.Error() }

// Fetch makes sure that a package is in the cache, and returns the folder that it is unpacked to. The folder is
// created atomically.
func (p *Package) Fetch(ctx context.Context) (string, error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "packages", strings.ReplaceAll(p.Name, "/", "_")+"-"+p.SHA256[:12])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	archive := filepath.Join(tmp, path.Base(p.URL))
	if err := p.download(ctx, archive); err != nil {
		return "", err
	}
	out := filepath.Join(tmp, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		return "", err
	}
	if err := unpack(ctx, archive, out); err != nil {
		return "", fmt.Errorf("%s: %w", p.Name, err)
	}
	if err := os.Rename(out, dir); err != nil {
		if _, there := os.Stat(dir); there == nil {
			return dir, nil // another process was faster
		}
		return "", err
	}
	return dir, nil
}

// download downloads the archive and checks its digest.
func (p *Package) download(ctx context.Context, to string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	fail := func(err error) error { return &UnreachableError{p.URL, err} }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fail(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fail(fmt.Errorf("status %s", resp.Status))
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	const most = 256 << 20
	if _, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(resp.Body, most)); err != nil {
		return fail(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != p.SHA256 {
		return fmt.Errorf("%s has the digest %s, not %s", p.URL, got, p.SHA256)
	}
	return f.Close()
}

// unpack unpacks an archive of the format that its name implies.
func unpack(ctx context.Context, archive, dir string) error {
	var cmd *exec.Cmd
	switch filepath.Ext(archive) {
	case ".deb":
		cmd = exec.CommandContext(ctx, "dpkg-deb", "-x", archive, dir)
	case ".zip":
		z, err := zip.OpenReader(archive)
		if err != nil {
			return err
		}
		defer z.Close()
		return os.CopyFS(dir, z)
	default:
		cmd = exec.CommandContext(ctx, "tar", "-xf", archive, "-C", dir)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd.Args[0], err, out)
	}
	return nil
}
