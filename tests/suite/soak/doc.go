// Command soak runs whole what make test samples, a piece at a time, and keeps a record of
// each piece that is finished, so that it may be stopped at any time and goes on where it was:
//
//	go run ./tests/suite/soak [-share 3/8] [-parts mutants,verify] [-pieces 5] [-rates]
//
// make soak SOAK=3/8 runs the third of eight shares of all pieces. Records are kept below the
// user's cache directory, in a folder for the state of core, backend, gen, defs and the root's
// package: a change of these begins anew. The shares of several machines are put together by copying
// their records into one folder. A piece that failed is run again.
//
// Each call rewrites tests/suite/soak/report.md from the records of the state. -rates instead prints how long what is
// left takes on two idle cores, by the pieces that are finished.
package main
