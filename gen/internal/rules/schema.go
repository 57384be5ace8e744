// SPDX-License-Identifier: MIT

package rules

import (
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/schema"
)

// Schema describes the tables of rewrite rules.
var Schema = schema.Folder{Dir: Dir, File: "algebraic", Title: "Rewrite rules, predicates and options", Families: []schema.Family{
	schema.Of[RuleDef]("rule", schema.Snake, "Rewrite rules."),
	predicate.Family,
	schema.Of[OptionDef]("option", schema.Snake, "Conditions that rules may depend on."),
	schema.Of[weightRow]("weight", schema.Snake, "Weights of instructions, where a rule must make its expression smaller."),
}}
