// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"jacquard.example/tests/support/sample"
)

func main() {
	file := flag.String("rows", "", "`file` of rows to run in place of the project's")
	skip := flag.Int("skip", 0, "leave out the first `N` rows")
	share := flag.String("share", "", "run a share of the rows, such as `3/8`")
	moved := flag.Bool("move", false, "run nothing; update the rows whose code or test has moved")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var ok bool
	var err error
	if *moved {
		ok, err = moveAll(flag.Args())
	} else {
		ok, err = all(ctx, *file, *skip, *share, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// root returns the folder of the module that the command is started in.
func root() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

// moveAll updates the project's rows whose names match and whose code or test has moved.
func moveAll(names []string) (ok bool, err error) {
	dir, err := root()
	if err != nil {
		return false, err
	}
	list, err := rows()
	if err != nil {
		return false, err
	}
	if list, err = chosen(list, names); err != nil {
		return false, err
	}
	return move(os.Stdout, dir, filepath.Join(dir, "tests/suite/mutants"), list)
}

// all runs the rows that are asked for and prints a line for each.
func all(ctx context.Context, file string, skip int, share string, names []string) (ok bool, err error) {
	dir, err := root()
	if err != nil {
		return false, err
	}
	list, err := rows()
	if file != "" {
		var text []byte
		if text, err = os.ReadFile(file); err == nil {
			list, err = parse(file, string(text))
		}
	}
	if err != nil {
		return false, err
	}
	if list, err = chosen(list[min(skip, len(list)):], names); err != nil {
		return false, err
	}
	if share != "" {
		k, of, err := sample.Parse(share)
		if err != nil {
			return false, err
		}
		// Adjacent rows of a table change the same package, so their builds have the most in common.
		list = list[len(list)*(k-1)/of : len(list)*k/of]
	}
	if file == "" {
		for _, r := range list {
			if err := r.check(dir); err != nil {
				return false, fmt.Errorf("[mutant.%s] %w", r.name, err)
			}
		}
	}
	if err := sound(ctx, dir, list); err != nil {
		return false, err
	}
	count := map[verdict]int{}
	for _, r := range list {
		start := time.Now()
		res := try(ctx, dir, r)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		count[res.verdict]++
		fmt.Printf("%-8s %-32s %-32s %s (%.1fs)\n", res.verdict, r.name, r.File, res.why, time.Since(start).Seconds())
	}
	fmt.Printf("%d mutants: %d found, %d survived, %d broken\n", len(list), count[found], count[survived], count[broken])
	return count[found] == len(list), nil
}

// chosen returns the rows whose names match one of the regular expressions, or all rows if there are none.
func chosen(list []*row, names []string) ([]*row, error) {
	if len(names) == 0 {
		return list, nil
	}
	re, err := regexp.Compile("^(" + strings.Join(names, "|") + ")$")
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(r *row) bool { return !re.MatchString(r.name) })
	if len(list) == 0 {
		return nil, fmt.Errorf("no row is called %s", strings.Join(names, " or "))
	}
	return list, nil
}
