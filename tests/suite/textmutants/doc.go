// Package textmutants changes texts of IR at random, token by token, so that what the
// validator accepts is known to be what the passes and the back ends can work on. [Mutant] makes one, with tokens of the
// same text or such as the tables declare; those that are accepted are compiled for all targets, which must
// neither panic nor make anything that a check refuses.
package textmutants
