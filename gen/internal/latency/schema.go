// SPDX-License-Identifier: MIT

package latency

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of costs.
var Schema = schema.Folder{Dir: "intel/latency", File: "latency", Title: "Costs of machine instructions", Families: []schema.Family{
	schema.Of[row]("latency", schema.Snake, "Classes of instructions with the same costs."),
	schema.Of[on]("cost", schema.Snake, "The costs of a class on a platform or family, where they differ."),
}}
