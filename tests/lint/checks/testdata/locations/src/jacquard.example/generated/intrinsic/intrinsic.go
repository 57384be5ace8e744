package intrinsic

const IxLocation, IxBase = 1, 2
