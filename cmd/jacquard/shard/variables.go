// SPDX-License-Identifier: MIT

package shard

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The variables of an array job. Slurm numbers tasks as the user requests; Kubernetes numbers the pods of an Indexed
// Job from 0, and does not tell them their number.
const (
	slurmTask  = "SLURM_ARRAY_TASK_ID"
	slurmMin   = "SLURM_ARRAY_TASK_MIN"
	slurmMax   = "SLURM_ARRAY_TASK_MAX"
	slurmCount = "SLURM_ARRAY_TASK_COUNT"
	slurmStep  = "SLURM_ARRAY_TASK_STEP"
	kubernetes = "JOB_COMPLETION_INDEX"
)

// Variables returns the part that the variables of an array job give a task, and how they do, for a message; the whole
// list and "" outside of array jobs. shards is the number of parts, or 0 if the variables give it. get returns
// the value of a variable, or "". An error says which flag helps.
func Variables(get func(string) string, shards int) (Part, string, error) {
	v := variables{get: get, shards: shards}
	slurm, pod := get(slurmTask) != "", get(kubernetes) != ""
	var p Part
	switch {
	case slurm && pod:
		v.fail("both %s and %s are set", slurmTask, kubernetes)
	case shards > 0 && slurm:
		p = v.counted(slurmTask, v.optional(slurmMax, 0))
	case shards > 0 && pod:
		p = v.counted(kubernetes, 0)
	case shards > 0:
		return p, "", fmt.Errorf("--shards %d needs the number of the shard: --shard I/%d, %s or %s", shards, shards, slurmTask, kubernetes)
	case slurm:
		p = v.slurm()
	case pod:
		v.fail("%s=%s is set, but not how many shards there are: --shards N is missing", kubernetes, get(kubernetes))
	default:
		return Part{1, 1}, "", nil
	}
	if v.err != nil {
		return Part{}, "", fmt.Errorf("%w; --shard I/N overrides the variables of an array job", v.err)
	}
	return p, strings.Join(v.used, " "), nil
}

// variables reads variables, and remembers which it used and the first error.
type variables struct {
	get    func(string) string
	shards int
	used   []string
	err    error
}

func (v *variables) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// number returns the value of a variable.
func (v *variables) number(name string) int {
	text := v.get(name)
	v.used = append(v.used, name+"="+text)
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		v.fail("%s is set, but %s is not: --shards N may say how many tasks there are", slurmTask, name)
	case err != nil || n < 0:
		v.err = errors.Join(v.err, fmt.Errorf("%s is not a number: %q", name, text))
	}
	return n
}

// optional is like number, for a variable that may be missing.
func (v *variables) optional(name string, missing int) int {
	if v.get(name) == "" {
		return missing
	}
	return v.number(name)
}

// counted returns the part of a task that is numbered from 0 among v.shards. most is the largest number of a task, if it
// is known.
func (v *variables) counted(name string, most int) Part {
	i := v.number(name)
	if most = max(i, most); v.err == nil && most >= v.shards {
		v.fail("with --shards %d, tasks are numbered from 0 to %d, but there is a task %d", v.shards, v.shards-1, most)
	}
	return Part{i + 1, v.shards}
}

// slurm returns the part of a task of an array whose tasks are MIN, MIN+STEP and so on, COUNT of them. Other lists of
// tasks are refused: they do not say which number each task has among how many.
func (v *variables) slurm() Part {
	id, low, count := v.number(slurmTask), v.number(slurmMin), v.number(slurmCount)
	step := v.optional(slurmStep, 1)
	high := v.optional(slurmMax, low+(count-1)*step)
	if v.err == nil && (step < 1 || count < 1 || id < low || id > high || (id-low)%step != 0 || low+(count-1)*step != high) {
		v.fail("the tasks of this array are not a range with a step (%s): --shards N with tasks from 0 to N-1 takes any of them",
			strings.Join(v.used, " "))
	}
	if v.err != nil {
		return Part{}
	}
	return Part{(id-low)/step + 1, count}
}
