// SPDX-License-Identifier: MIT

package spirv

import (
	"errors"
	"sync"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/emit"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Error is the reason why a module is rejected. Package module documents its fields.
type Error = module.Error

// Options selects what to read from a module. Package module documents its fields.
type Options = module.Options

// Spec assigns a value to a specialization constant.
type Spec = module.Spec

// reader is the state of reading one module. Readers are reused to keep their memory.
type reader struct {
	module.Reader
	plan plan.Plan
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// maxKept bounds the size in words of a module whose reader is kept.
const maxKept = 1 << 20

// Read reads an entry point of a module, which is a sequence of words in either byte order.
func Read(data []byte, opt module.Options) (*ir.Shader, error) {
	if opt.Stage > kind.StageFragment {
		return nil, &module.Error{Msg: "stage " + opt.Stage.String() + " is not supported", Unsupported: true}
	}
	return reading(data, opt, func(r *module.Reader, p *plan.Plan) {
		r.Header()
		r.ChooseStage()
		r.Scan()
		r.SetUp()
		plan.CheckFunctions(r, p)
		for i := 0; i < len(r.Queue); i++ {
			emit.Function(r, p, r.Queue[i])
		}
		value.AliasedAccess(r)
	})
}

// reading calls do with a reader of the module. It returns the reader's shader, or the error that do panicked with.
func reading(data []byte, opt module.Options, do func(*module.Reader, *plan.Plan)) (sh *ir.Shader, err error) {
	r := readers.Get().(*reader)
	defer func() {
		if p := recover(); p != nil {
			sh = nil
			reason, limit := work.Reason(p), (*work.Limit)(nil)
			switch e, ok := p.(*module.Error); {
			case ok:
				err = r.Located(e)
			case errors.As(reason, &limit):
				err = r.Located(&module.Error{Word: int(r.At), Msg: limit.Error()})
			case reason != nil:
				err = reason
			default:
				panic(p) // do not reuse this reader
			}
		}
		if cap(r.Words) <= maxKept {
			r.Empty()
			readers.Put(r)
		}
	}()
	ordered, words, err := module.ToWords(data, r.Words)
	if err != nil {
		return nil, err
	}
	r.Module, r.Words = ordered, words
	r.Opt, r.S = &opt, opt.Into
	if r.S == nil {
		r.S = ir.New()
	} else {
		r.S.Reset()
	}
	r.B, r.Cb = ir.NewBuilder(r.S), ir.NewBuilder(r.S)
	do(&r.Reader, &r.plan)
	return r.S, nil
}
