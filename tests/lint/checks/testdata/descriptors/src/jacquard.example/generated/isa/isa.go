package isa

type SFID uint8

const SFIDDC1 SFID = 12

type Inst struct {
	SFID         SFID
	Desc, ExDesc uint32
	Send         struct{ Desc uint32 }
}

func DescBarrier() uint32 { return 4 }
