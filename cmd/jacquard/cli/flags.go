// SPDX-License-Identifier: MIT

package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"jacquard.example/generated/target"
)

// FlagSet parses flags and other arguments in any order. Flags are written
// --name VALUE or --name=VALUE; a single dash works as well. "--" ends them.
type FlagSet struct {
	fs   *flag.FlagSet
	list []flagInfo // in declaration order

	sources sources
}

// flagInfo is a flag's entry in the help.
type flagInfo struct {
	Name, arg, text, def string
}

var errHelp = errors.New("help requested")

// NewFlagSet returns an empty set of flags.
func NewFlagSet() *FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return &FlagSet{fs: fs}
}

func (f *FlagSet) declare(v flag.Value, name, arg, def, text string) {
	f.fs.Var(v, name, text)
	f.list = append(f.list, flagInfo{name, arg, text, def})
}

// Boolean declares a flag without a value.
func (f *FlagSet) Boolean(p *bool, name, text string) {
	f.fs.BoolVar(p, name, *p, text)
	f.list = append(f.list, flagInfo{Name: name, text: text})
}

// Text declares a flag with any value; *p is its default.
func (f *FlagSet) Text(p *string, name, arg, text string) {
	f.declare((*textValue)(p), name, arg, *p, text)
}

type textValue string

func (v *textValue) String() string     { return string(*v) }
func (v *textValue) Set(s string) error { *v = textValue(s); return nil }

// Optional is the value of a flag that may be absent or empty.
type Optional struct {
	IsSet bool
	Value string
	Bare  string // the meaning of the flag without a value, if allowed
}

func (o *Optional) String() string { return o.Value }

// Set receives "true" for a flag without a value.
func (o *Optional) Set(s string) error {
	o.IsSet, o.Value = true, s
	if s == "true" && o.Bare != "" {
		o.Value = o.Bare
	}
	return nil
}

// IsBoolFlag reports whether the value may be missing, by the convention of package flag.
func (o *Optional) IsBoolFlag() bool { return o.Bare != "" }

// Optional declares a flag whose value may be empty, or missing if o.Bare is set.
func (f *FlagSet) Optional(o *Optional, name, arg, text string) {
	f.declare(o, name, arg, "", text)
}

// Choice declares a flag whose value is one of several words; *p is its
// default.
func (f *FlagSet) Choice(p *string, name string, of []string, text string) {
	f.declare(&choiceValue{p, of}, name, strings.Join(of, "|"), *p, text)
}

type choiceValue struct {
	p  *string
	of []string
}

func (c *choiceValue) String() string { return "" }
func (c *choiceValue) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return errors.New("must be " + OrList(c.of))
	}
	*c.p = s
	return nil
}

// Target declares --target, which names a GPU by the name of a target or an alias; *p is the default and becomes the
// name.
func (f *FlagSet) Target(p *string, text string) {
	f.declare((*targetValue)(p), "target", strings.Join(target.Names(), "|"), *p, text+"; 'jacquard info targets' lists other names")
}

// Codec declares --target for commands that assemble or disassemble, which also take the targets that nothing can be
// compiled for.
func (f *FlagSet) Codec(p *string, text string) {
	names := append(target.Names(), target.CodecNames()...)
	f.declare((*codecValue)(p), "target", strings.Join(names, "|"), *p, text+"; 'jacquard info targets' lists other names")
}

type codecValue string

func (v *codecValue) String() string { return "" }
func (v *codecValue) Set(s string) error {
	t, ok := target.ByName(s)
	if !ok {
		t, ok = target.CodecByName(s)
	}
	if !ok {
		return errors.New("must be " + OrList(append(target.Names(), target.CodecNames()...)) + ", or an alias of one of these")
	}
	*v = codecValue(t.Name)
	return nil
}

// Targets declares --targets, which names several GPUs, separated by commas; without it *p is unchanged.
func (f *FlagSet) Targets(p *[]string, text string) {
	f.declare((*targetList)(p), "targets", "A,B,C", "", text)
}

type targetList []string

func (l *targetList) String() string { return "" }
func (l *targetList) Set(s string) error {
	*l = nil
	for name := range strings.SplitSeq(s, ",") {
		var v targetValue
		if err := v.Set(name); err != nil {
			return err
		}
		if !slices.Contains(*l, string(v)) {
			*l = append(*l, string(v))
		}
	}
	return nil
}

type targetValue string

func (v *targetValue) String() string { return "" }
func (v *targetValue) Set(s string) error {
	t, ok := target.ByName(s)
	if !ok {
		list := "must be " + OrList(target.Names()) + ", or an alias of one of these"
		if t, ok := target.CodecByName(s); ok {
			list += " (nothing can be compiled for " + t.Name + " yet; asm and dis accept it)"
		}
		return errors.New(list)
	}
	*v = targetValue(t.Name)
	return nil
}

// GpuNames yields the names and aliases of all targets, including targets that can only be assembled for.
func GpuNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, t := range slices.Concat(target.All, target.Partial, target.Codecs) {
			if !yield(t.Name) {
				return
			}
			for _, a := range t.Aliases {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// Integer declares a flag whose value is an integer of at least min.
func (f *FlagSet) Integer(p *int, name, arg string, min int, text string) {
	f.declare(&intValue{p, min}, name, arg, strconv.Itoa(*p), text)
}

type intValue struct {
	p   *int
	min int
}

func (v *intValue) String() string { return "" }
func (v *intValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < v.min {
		return fmt.Errorf("must be an integer of at least %d", v.min)
	}
	*v.p = n
	return nil
}

// Percentage declares a flag whose value is a number of percent, at least 0; without it *p is
// unchanged.
func (f *FlagSet) Percentage(p *float64, name, arg, text string) {
	f.declare((*percentValue)(p), name, arg, "none", text)
}

type percentValue float64

func (v *percentValue) String() string { return "" }
func (v *percentValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return errors.New("must be a percentage of at least 0, such as 5")
	}
	*v = percentValue(x)
	return nil
}

// Limit declares a flag whose value is a positive integer; without it *p is unchanged, and 0 means no limit.
func (f *FlagSet) Limit(p *uint64, name, arg, text string) {
	f.declare((*limitValue)(p), name, arg, "no limit", text)
}

type limitValue uint64

func (v *limitValue) String() string { return "" }
func (v *limitValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n == 0 {
		return errors.New("must be an integer of at least 1")
	}
	*v = limitValue(n)
	return nil
}

// Duration declares a flag whose value is a positive duration; without it *p is unchanged, and 0 means no limit.
func (f *FlagSet) Duration(p *time.Duration, name, arg, text string) {
	f.declare((*durationValue)(p), name, arg, "no limit", text)
}

type durationValue time.Duration

func (v *durationValue) String() string { return "" }
func (v *durationValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return errors.New("must be a positive duration such as 500ms, 30s or 2m")
	}
	*v = durationValue(d)
	return nil
}

// OrList formats "a", "a or b", "a, b or c".
func OrList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Parse parses the flags and returns the remaining arguments.
func (f *FlagSet) Parse(args []string) (rest []string, err error) {
	for len(args) > 0 {
		if args[0] == "--" {
			return append(rest, args[1:]...), nil
		}
		if !strings.HasPrefix(args[0], "-") || args[0] == "-" {
			rest = append(rest, args[0])
			args = args[1:]
			continue
		}
		// One flag at a time: package flag would continue after a "--" value.
		n := 1
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		fl := f.fs.Lookup(name)
		if fl == nil && f.attached(args[0]) { // -Idir, the syntax of C compilers
			args = slices.Concat([]string{args[0][:2], args[0][2:]}, args[1:])
			continue
		}
		switch {
		case name == "h" || name == "help":
			return nil, errHelp
		case fl == nil:
			return nil, Usagef("unknown flag %s%s", args[0], Guess("--"+name, f.names()))
		}
		b, bare := fl.Value.(interface{ IsBoolFlag() bool })
		if !hasValue && !(bare && b.IsBoolFlag()) {
			if len(args) < 2 {
				return nil, Usagef("the value of --%s is missing", name)
			}
			n = 2
		}
		if err := f.set(fl, args[:n]); err != nil {
			return nil, err
		}
		args = args[n:]
	}
	return rest, nil
}

// attached reports whether an argument is a short, repeatable flag with its value attached.
func (f *FlagSet) attached(arg string) bool {
	if len(arg) < 3 || arg[1] == '-' || arg[2] == '=' {
		return false
	}
	fl := f.fs.Lookup(arg[1:2])
	if fl == nil {
		return false
	}
	_, ok := fl.Value.(*repeated)
	return ok
}

// names yields the flags as written on the command line.
func (f *FlagSet) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range f.list {
			if !yield("--" + f.list[i].Name) {
				return
			}
		}
	}
}

func (f *FlagSet) set(fl *flag.Flag, args []string) error {
	_, value, hasValue := strings.Cut(args[0], "=")
	switch {
	case len(args) == 2:
		value = args[1]
	case !hasValue:
		value = "true"
	}
	if err := fl.Value.Set(value); err != nil {
		if _, isBool := fl.Value.(interface{ IsBoolFlag() bool }); isBool {
			err = errors.New("takes no value")
			return Usagef("--%s %s", fl.Name, err)
		}
		return Usagef("--%s %s, not %q", fl.Name, err, value)
	}
	return nil
}

// OneFile returns the only argument, or a usage error if there is not exactly one.
func OneFile(args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", Usagef("FILE is missing")
	case 1:
		return args[0], nil
	}
	return "", Usagef("expected one FILE, but found another, %q", args[1])
}
