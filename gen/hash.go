// SPDX-License-Identifier: MIT

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
)

// hashDigits is the number of digits that are kept of the hash, enough to distinguish the tables of bug reports.
const hashDigits = 12

// hash writes generated/tables, with which a build of the compiler identifies its tables.
func hash(ctx *domain.Context) error {
	h := sha256.New()
	for _, root := range ctx.Roots {
		err := filepath.WalkDir(root.Dir, func(path string, d fs.DirEntry, err error) error { // in alphabetical order
			if err != nil || d.IsDir() || filepath.Ext(path) != ".toml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root.Dir, path)
			h.Write([]byte(filepath.ToSlash(rel) + "\x00" + strconv.Itoa(len(data)) + "\x00"))
			h.Write(data)
			return err
		})
		if err != nil {
			return err
		}
	}
	f := emit.NewFile("tables", `Package tables identifies the tables that the generated packages were made from, including a
user's: [Hash] is part of the version that the command prints and asks for in bug reports,
so that builds with different rules, messages or targets can be distinguished.`)
	f.Const("Hash is the start of the SHA-256 hash of the names and contents of all tables.", "Hash",
		strconv.Quote(hex.EncodeToString(h.Sum(nil))[:hashDigits]))
	return ctx.Out.Code("tables/tables.go", []string{"all tables"}, f)
}
