// SPDX-License-Identifier: MIT

package opcodes

import (
	"bytes"
	"errors"
	"fmt"

	"jacquard.example/gen/internal/eval"
)

// WithoutFormula returns the operation of o's meaning that cannot be written as a
// formula, at the first size at which there is one; it is "" if the whole meaning has
// a formula. For an opcode without a meaning, a derivative, it is the opcode itself.
func (o *Op) WithoutFormula() (string, error) {
	if o.Meaning == nil {
		return o.Name, nil
	}
	for _, size := range o.execSizes() {
		args := make([][]string, len(o.Srcs))
		for i, s := range o.Srcs {
			for range max(s.Comps, 1) {
				args[i] = append(args[i], eval.SMTConst(0, s.Type(size)))
			}
		}
		_, err := o.Meaning[size].SMT(args)
		var none *eval.NoFormula
		if errors.As(err, &none) {
			return none.What, nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

const withoutFormula = `
## Without a formula

Bit by bit the prover knows nothing of these opcodes but that equal operands give equal results, so
that a rule with them is proved where it holds whatever they compute; over the reals it knows laws of
exp2 and log2. Of derivatives it knows nothing at all.

| opcode | because of |
|---|---|
`

// emitWithoutFormula lists the opcodes whose meaning has no formula.
func emitWithoutFormula(b *bytes.Buffer, t *Table) error {
	b.WriteString(withoutFormula)
	for _, o := range t.Ops {
		what, err := o.WithoutFormula()
		switch {
		case err != nil:
			return err
		case o.Meaning == nil:
			fmt.Fprintf(b, "| %s | other invocations |\n", o.Name)
		case what != "":
			fmt.Fprintf(b, "| %s | `%s` |\n", o.Name, what)
		}
	}
	return nil
}
