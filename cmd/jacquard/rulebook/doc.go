// SPDX-License-Identifier: MIT

// Package rulebook is the subcommand rules ([RulesCommand]): it lists rewrite rules, shows a rule with its proof, traces
// the rules that fire on a shader, and runs the prover in a checkout. Rules come from the generated tables; the package
// changes none.
package rulebook
