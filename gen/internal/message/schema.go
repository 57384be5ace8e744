// SPDX-License-Identifier: MIT

package message

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of logical messages.
var Schema = schema.Folder{Dir: Dir, File: "message", Title: "Messages to memory and fixed functions", Families: []schema.Family{
	schema.Of[logical]("logical", schema.Snake, "The compiler's requests, on any machine."),
	schema.Of[family]("messages", schema.Snake, "A family of messages that machines have."),
	schema.Of[send]("send", schema.Snake, "How a family implements a logical message."),
	schema.Of[operation]("operation", schema.Snake, "The parameters of an operation of the sampler."),
}}
