// SPDX-License-Identifier: MIT

// Package arrays tests stats as the tasks of an array job run it: tasks that are killed at random moments and started again,
// with the variables of schedulers made up, and with JACQUARD_E2E=1 (make e2e) under a real Slurm on this machine, whose
// programs and files are only the test's own. What merge makes of the shards equals what one run without shards writes.
package arrays
