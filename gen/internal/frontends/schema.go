// SPDX-License-Identifier: MIT

package frontends

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of front ends.
var Schema = schema.Folder{Dir: "frontends", File: "frontends", Title: "Front ends: languages, file names and programs", Families: []schema.Family{
	schema.Of[languageRow]("language", schema.Snake, "A language that shaders are written in."),
	schema.Of[extensionRow]("extension", schema.Snake, "The extension of file names, without the dot."),
	schema.Of[commandRow]("command", schema.Snake, "A program that translates shaders to SPIR-V, and how it is run."),
}}

type languageRow struct {
	Doc      string   `toml:"doc" doc:"The language." required:"true"`
	Commands []string `toml:"commands" doc:"The [command] rows that translate it; the first whose programs are installed does." required:"true"`
	Refused  string   `toml:"refused" doc:"Why nothing is translated: the compiler would refuse every module."`
}

type extensionRow struct {
	Language string `toml:"language" doc:"The [language]." required:"true"`
	Stage    string `toml:"stage" doc:"A stage of the IR, flag (what --stage says, or else the extension before this one), or module (the module says it)."`
	Refused  string `toml:"refused" doc:"Why such files are not translated."`
}

type commandRow struct {
	Doc       string            `toml:"doc" doc:"The program." required:"true"`
	Like      string            `toml:"like" doc:"Another [command]: keys that this one lacks have its values."`
	Program   string            `toml:"program" doc:"The program's file, which is searched for in PATH."`
	Needs     []string          `toml:"needs" doc:"Other programs that it runs."`
	Args      []string          `toml:"args" doc:"The arguments, with words in braces that are replaced." required:"true"`
	Stages    map[string]string `toml:"stages" doc:"The program's names for the stages of the IR; needed if args have {stage}."`
	Env       []string          `toml:"env" doc:"The arguments for an environment, which replaces {}."`
	SPIRV     string            `toml:"spirv" doc:"The program's prefix of SPIR-V versions, if an environment such as vulkan1.1spv1.4 must be passed as two: vulkan1.1, and the prefix with 1.4."`
	Include   []string          `toml:"include" doc:"The arguments for a folder of -I, which replaces {}."`
	Define    []string          `toml:"define" doc:"The arguments for a macro of -D, NAME or NAME=VALUE, which replaces {}."`
	Stdin     string            `toml:"stdin" doc:"The name of standard input in messages and debug information."`
	Again     []string          `toml:"again" doc:"Arguments with which the program runs again if it fails, to find all errors."`
	Errors    []string          `toml:"errors" doc:"Patterns of error messages; the first that matches determines the parts."`
	Ignored   []string          `toml:"ignored" doc:"Patterns of messages that are not errors."`
	Refuse    []string          `toml:"refuse" doc:"Patterns of messages that are errors even if the program succeeds."`
	Continued bool              `toml:"continued" doc:"Messages go on in lines that begin with a space."`
	Probe     []string          `toml:"probe" doc:"Arguments with which the right program of this name prints answer."`
	Answer    string            `toml:"answer" doc:"Words that the probe prints."`
	Debian    string            `toml:"debian" doc:"The Debian packages that have the programs."`
	URL       string            `toml:"url" doc:"Where to get the program."`
	Get       string            `toml:"get" doc:"The command that installs it."`
	Scripts   bool              `toml:"scripts" doc:"Only AmberScripts use it, no language."`
}
