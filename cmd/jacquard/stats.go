package main

import (
	"strconv"
	"strings"

	"jacquard.example"
)

var statsCommand = command{
	name:  "stats",
	args:  "PATH…",
	brief: "compile many shaders and write a line of statistics for each",
	text: `
Compiles every shader of the files and folders and writes one JSON object a line: that of compile --emit json, and
"file" and "cpu_ms". Lines come in the order of the files' names, whatever --jobs is.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --shard 2/8`,
	setup: func(fs *flagSet) func(*app, []string) error {
		s := &stats{target: jacquard.DefaultTarget, shard: "1/1"}
		fs.choice(&s.target, "target", jacquard.Targets(), "the GPU to compile for")
		fs.integer(&s.jobs, "jobs", "N", 0, "how many shaders to compile at once; 0 takes as many as there are processors")
		fs.text(&s.shard, "shard", "I/N", "compile only the I-th of N parts of the files")
		fs.text(&s.json, "json", "OUT", "the file to write; standard output if there is none")
		return s.run
	},
}

type stats struct {
	target, shard, json string
	jobs                int
}

func (s *stats) run(a *app, args []string) error {
	if len(args) == 0 {
		return usagef("PATH is missing")
	}
	if _, _, err := s.part(); err != nil {
		return err
	}
	return notAvailable("stats")
}

// part reads --shard: the index of the part, from 0, and the number of parts.
func (s *stats) part() (index, parts int, err error) {
	left, right, ok := strings.Cut(s.shard, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return 0, 0, usagef("--shard must be I/N with I from 1 to N, not %q", s.shard)
	}
	return i - 1, n, nil
}
