// SPDX-License-Identifier: MIT

package irtab

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of instruction kinds, enumerations and indices.
var Schema = schema.Folder{Dir: "ir", File: "ir", Title: "Instruction kinds, enumerations, indices, atomics, reductions and formats of texels", Families: []schema.Family{
	schema.Of[KindDef]("kind", schema.Snake, "Kinds of instructions."),
	schema.Of[VariantDef]("variant", schema.Snake, "Properties of one value of a kind's sub; its name is KIND_VALUE."),
	schema.Of[EnumDef]("enum", schema.Snake, "Enumerations."),
	schema.Of[IndexDef]("index", schema.Snake, "Kinds of constant indices."),
	schema.Of[FormatDef](FormatEnum, schema.Snake, "Formats of texels that storage images declare."),
	schema.Of[AtomicDef]("atomic", schema.Snake, "Atomics."),
	schema.Of[ReductionDef]("reduction", schema.Snake, "Reductions and scans."),
	schema.Of[TraitDef]("trait", schema.Snake, "Traits of intrinsics."),
	schema.Of[RoleDef]("role", schema.Snake, "Roles of sources of intrinsics."),
}}

// IntrinsicSchema describes the tables of intrinsics.
var IntrinsicSchema = schema.Folder{Dir: "intrinsics", File: "intrinsics", Title: "Intrinsics", Families: []schema.Family{
	schema.Of[IntrinsicDef]("intrinsic", schema.Template, "Intrinsics."),
}}
