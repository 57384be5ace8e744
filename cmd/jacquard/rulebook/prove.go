// SPDX-License-Identifier: MIT

package rulebook

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"jacquard.example/cmd/jacquard/cli"
)

// module is the project's module path.
const module = "jacquard.example"

// proveRules runs the prover. The prover reads the tables, which only the generator's packages can do, so it is a
// separate program in the project's folder.
func proveRules(a *cli.App, file string, asJSON bool, names []string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("jacquard: error: rules prove runs the prover from the project's source with the go command, and go " +
			"is not in PATH")
	}
	root, err := projectRoot()
	if err != nil {
		return err
	}
	args := []string{"run", module + "/gen/prove"}
	if file != "" {
		if file, err = filepath.Abs(file); err != nil {
			return err
		}
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("jacquard: error: %w", err)
		}
		args = append(args, "-rules", file)
	}
	if asJSON {
		args = append(args, "-json")
	}
	cmd := exec.CommandContext(a.Ctx, "go", append(args, names...)...)
	cmd.Dir, cmd.Stdin = root, a.Stdin
	cmd.Stdout, cmd.Stderr = a.Stdout, a.Stderr
	err = cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed && a.Ctx.Err() == nil {
		return errors.New("jacquard: error: not every rule holds")
	}
	return err
}

// projectRoot finds the module's folder from the working directory.
func projectRoot() (string, error) {
	var errs bytes.Buffer
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return "", fmt.Errorf("jacquard: error: rules prove needs the project's source: run it inside a clone of %s", module)
	}
	return dir, nil
}
