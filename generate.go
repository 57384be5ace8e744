package jacquard

// Everything under generated/ comes from the tables in defs/.
//go:generate go run ./gen
