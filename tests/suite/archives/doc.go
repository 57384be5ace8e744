// SPDX-License-Identifier: MIT

// Package archives tests that damaged and hostile archives are refused: archives of Fossilize, zip and tar that are changed at
// random are opened and all of their members are read and compiled ([Read]). No change may cause a panic, or take more time
// or memory than is stated.
package archives
