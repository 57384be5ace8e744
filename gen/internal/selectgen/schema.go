// SPDX-License-Identifier: MIT

package selectgen

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of instruction selection.
var Schema = schema.Folder{Dir: Dir, File: "select", Title: "Instruction selection for Intel GPUs", Families: []schema.Family{
	schema.Of[rowDef]("select", schema.Snake, "The machine instructions that a pattern is selected to."),
}}
