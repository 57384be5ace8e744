// SPDX-License-Identifier: MIT

package jacquard

// Everything under generated/ is generated from the tables in defs/.
//go:generate go run ./gen
