// SPDX-License-Identifier: MIT

package abi

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of calling conventions.
var Schema = schema.Folder{Dir: Dir, File: "abi", Title: "How threads find their inputs", Families: []schema.Family{
	schema.Of[row]("abi", schema.Snake, "A calling convention of programs."),
}}
