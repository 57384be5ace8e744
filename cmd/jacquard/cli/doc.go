// SPDX-License-Identifier: MIT

// Package cli is the framework of the command: an [App] is one invocation, with its streams; a [Command] is a row of
// the table of subcommands, with its help and its flags ([FlagSet]). It reads inputs in all forms, writes outputs,
// reports errors with exit statuses, and prints help, manual pages and completions. It knows no subcommands other
// than man and completion.
package cli
