// SPDX-License-Identifier: MIT

package main

import (
	"jacquard.example/gen/internal/abi"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/frontends"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/latency"
	"jacquard.example/gen/internal/legal"
	"jacquard.example/gen/internal/meaning"
	"jacquard.example/gen/internal/message"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/schema"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/spirvgen"
	"jacquard.example/gen/internal/target"
)

// tableFolders are the folders of the tables, each with the rows it may contain; the folder
// of opcodes writes its own schema.
var tableFolders = []schema.Folder{
	irtab.Schema, irtab.IntrinsicSchema, rules.Schema, spirvgen.Schema, frontends.Schema, isatab.Schema, abi.Schema, latency.Schema,
	message.Schema, target.Schema, selectgen.Schema, meaning.Schema, legal.Schema,
}

func schemas(ctx *domain.Context) error { return schema.Generate(ctx, tableFolders) }
