// SPDX-License-Identifier: MIT

// Command soak runs all cases of the tests of which make test runs only samples. The work is
// divided into pieces, and a record is kept of each finished piece, so soak may be stopped at any
// time and resumes later:
//
//	go run ./tests/suite/soak [-share 3/8] [-parts mutants,verify] [-pieces 5] [-rates]
//
// make soak SOAK=3/8 runs the third of eight shares of all pieces. Pieces that failed are run
// again. The records are in the user's cache directory, in a folder for the state of core,
// backend, gen, defs and the root package: after a change to any of them, all pieces run again. To combine the shares of
// several machines, copy their records into one folder.
//
// Each call rewrites tests/suite/soak/report.md from the records. With -rates it instead prints
// how long the remaining pieces will take on two idle cores, judging by the finished ones.
package main
