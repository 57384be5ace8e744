// Package latency writes generated/latency: what classes of instructions cost.
package latency

import (
	"bytes"
	"fmt"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

type row struct {
	Doc       string `toml:"doc" doc:"The instructions of the class." required:"true"`
	Front     int    `toml:"front" doc:"Cycles until the next instruction may start."`
	FrontDst  int    `toml:"front_dst" doc:"More of them for each register of the destination."`
	Result    int    `toml:"result" doc:"Cycles until the result may be read." minimum:"0"`
	ResultDst int    `toml:"result_dst" doc:"More of them for each register of the destination." minimum:"0"`
	Read      int    `toml:"read" doc:"Cycles until the sources have been read." minimum:"0"`
}

// Generate reads defs/intel/latency and adds the package.
func Generate(c *domain.Context) error {
	set, err := c.Load("intel/latency")
	if err != nil {
		return err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return err
	}
	rows, err := table.Rows[row](set, "latency")
	if err != nil {
		return err
	}
	var errs diag.List
	var b bytes.Buffer
	b.WriteString(`// Package latency says what classes of instructions cost, in cycles.
package latency

// Class is a class of instructions that cost alike.
type Class uint8

const (
`)
	for i, r := range rows {
		if r.Val.Doc == "" {
			errs.Addf(r.Pos, r.Full, "doc is missing")
		}
		if r.Val.Result < 0 || r.Val.ResultDst < 0 || r.Val.Read < 0 || r.Val.Front+r.Val.FrontDst < 0 {
			errs.Addf(r.Pos, r.Full, "a cost is negative")
		}
		iota := ""
		if i == 0 {
			iota = " Class = iota"
		}
		fmt.Fprintf(&b, "\t%s%s // %s\n", irtab.Camel(r.Name), iota, r.Val.Doc)
	}
	b.WriteString(`)

// Cost is what an instruction of a class costs. sd stands for the registers of
// its destination.
type Cost struct {
	Front, FrontDst   int // until the next instruction: Front + FrontDst·sd
	Result, ResultDst int // until the result: Result + ResultDst·sd
	Read              int // until the sources have been read
}

// Table holds the costs by class.
var Table = [...]Cost{
`)
	for _, r := range rows {
		v := r.Val
		fmt.Fprintf(&b, "\t%s: {%d, %d, %d, %d, %d},\n", irtab.Camel(r.Name), v.Front, v.FrontDst, v.Result, v.ResultDst, v.Read)
	}
	b.WriteString("}\n")
	if err := errs.Err(); err != nil {
		return err
	}
	return c.Out.Go("latency/latency.go", set.Files, b.Bytes())
}
