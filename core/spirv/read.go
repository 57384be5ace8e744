package spirv

import (
	"errors"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/emit"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Error is the reason for which a module is rejected. Package module documents its fields.
type Error = module.Error

// Options selects what to read from a module. Package module documents its fields.
type Options = module.Options

// Spec assigns a value to a specialization constant.
type Spec = module.Spec

// Read reads an entry point of a module, a sequence of words in either byte order.
func Read(data []byte, opt module.Options) (*ir.Shader, error) {
	if opt.Stage > kind.StageFragment {
		return nil, &module.Error{Msg: "stage " + opt.Stage.String() + " is not supported", Unsupported: true}
	}
	return reading(data, opt, func(r *module.Reader) {
		r.Header()
		r.ChooseStage()
		r.Scan()
		r.SetUp()
		plan.CheckFunctions(r)
		for i := 0; i < len(r.Queue); i++ {
			emit.Function(r, r.Queue[i])
		}
		value.AliasedAccess(r)
	})
}

// reading calls do with a reader of the module. It returns the reader's shader, or the error that do panicked with.
func reading(data []byte, opt module.Options, do func(*module.Reader)) (sh *ir.Shader, err error) {
	r := module.Readers.Get().(*module.Reader)
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
		if cap(r.Words) <= module.MaxKept {
			r.Empty()
			module.Readers.Put(r)
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
	do(r)
	return r.S, nil
}
