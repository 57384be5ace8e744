// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"io"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/listing"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

var checkCommand = cli.Command{
	Name:  "check",
	Args:  "FILE.bin",
	Brief: "check machine code against the rules of the machine",
	Text: `
Checks machine code, whoever made it: every instruction against the restrictions of the tables (register regions, types,
jump targets, messages), and, on machines with a software scoreboard, whether every dependency has been waited for on all
paths. FILE contains only the code, as written by compile --emit bin. Operands at computed register indices count as
reading every register.

Every violation is an error with the word of its instruction; the exit status is 1 if there is one.

Example:
  jacquard check shader.bin --target tgl`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		name := string(jacquard.DefaultTarget)
		fs.Target(&name, "the GPU that the code is for")
		return func(a *cli.App, args []string) error {
			file, err := cli.OneFile(args)
			if err != nil {
				return err
			}
			return check(a, file, name)
		}
	},
}

func check(a *cli.App, file, targetName string) error {
	name, code, err := readCode(a, file)
	if err != nil {
		return err
	}
	t, ok := target.ByName(targetName)
	if !ok {
		return cli.Usagef("unknown target %q", targetName)
	}
	if err := listing.Write(io.Discard, name, t.Platform, code, nil, listing.Style{}); err != nil {
		return err // the checks below need whole programs
	}
	var errs []error
	for _, v := range legal.Check(t.Platform, code) {
		errs = append(errs, driver.WordError(name, v.Offset/4, "restriction %s: %s, in %s", v.Rule, v.Msg,
			instruction(t.Platform, code, v.Offset)))
	}
	if t.Can(target.SoftwareScoreboard) {
		err := hazards.Check(t.Platform, code, hazards.Options{Work: work.NewMeter(a.Ctx, work.MaxSteps)})
		var h *hazards.Error
		switch {
		case errors.As(err, &h):
			errs = append(errs, driver.WordError(name, h.PC/4, "scoreboard: %s", h.Msg))
		case err != nil:
			errs = append(errs, &jacquard.Error{File: name, Msg: err.Error()})
		}
	}
	return errors.Join(errs...)
}

// instruction returns the assembly of the instruction at a byte address, or "" if there is
// none.
func instruction(p isa.Platform, code []byte, at int) string {
	if at < 0 || at >= len(code) {
		return ""
	}
	in, err := isa.Decode(p, code[at:])
	if err != nil {
		return ""
	}
	return string(isatext.Append(nil, p, &in, at))
}
