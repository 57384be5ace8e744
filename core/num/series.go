// SPDX-License-Identifier: MIT

package num

// twoOverPi contains the first 1280 bits of 2/π after the binary point.
var twoOverPi = [...]uint64{
	0xa2f9836e4e441529,
	0xfc2757d1f534ddc0,
	0xdb6295993c439041,
	0xfe5163abdebbc561,
	0xb7246e3a424dd2e0,
	0x06492eea09d1921c,
	0xfe1deb1cb129a73e,
	0xe88235f52ebb4484,
	0xe99c7026b45f7e41,
	0x3991d639835339f4,
	0x9c845f8bbdf9283b,
	0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f,
	0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea,
	0x6bfb5fb11f8d5d08,
	0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}

const halfPi = 0x1.921fb54442d18p+0 // π/2

// exp2Series are the powers of ln 2 over factorials, for 2^r with |r| <= 1/2.
var exp2Series = [...]float64{
	0x1.0000000000000p+0,
	0x1.62e42fefa39efp-1,
	0x1.ebfbdff82c58fp-3,
	0x1.c6b08d704a0c0p-5,
	0x1.3b2ab6fba4e77p-7,
	0x1.5d87fe78a6731p-10,
	0x1.430912f86c787p-13,
	0x1.ffcbfc588b0c7p-17,
	0x1.62c0223a5c824p-20,
	0x1.b5253d395e7c4p-24,
	0x1.e4cf5158b8ecap-28,
	0x1.e8cac7351bb25p-32,
	0x1.c3bd650fc2986p-36,
	0x1.816193166d0f9p-40,
	0x1.314964d5878a9p-44,
}

// log2Series are the factors of s, s³, s⁵ … in log2((1+s)/(1-s)).
var log2Series = [...]float64{
	0x1.71547652b82fep+1,
	0x1.ec709dc3a03fdp-1,
	0x1.2776c50ef9bfep-1,
	0x1.a61762a7aded9p-2,
	0x1.484b13d7c02a9p-2,
	0x1.0c9a84994022dp-2,
	0x1.c68f568d31760p-3,
	0x1.89f3b1694cffep-3,
	0x1.5b9ac9b743f0dp-3,
	0x1.3703c1f4d0ffep-3,
	0x1.1964ec6fc9491p-3,
	0x1.00ecd7e080215p-3,
	0x1.d8be0817f5ffep-4,
}

// sinSeries are the factors of r, r³, r⁵ … for |r| <= π/4.
var sinSeries = [...]float64{
	0x1.0000000000000p+0,
	-0x1.5555555555555p-3,
	0x1.1111111111111p-7,
	-0x1.a01a01a01a01ap-13,
	0x1.71de3a556c734p-19,
	-0x1.ae64567f544e4p-26,
	0x1.6124613a86d09p-33,
	-0x1.ae7f3e733b81fp-41,
	0x1.952c77030ad4ap-49,
	-0x1.2f49b46814157p-57,
}

// cosSeries are the factors of 1, r², r⁴ … for |r| <= π/4.
var cosSeries = [...]float64{
	0x1.0000000000000p+0,
	-0x1.0000000000000p-1,
	0x1.5555555555555p-5,
	-0x1.6c16c16c16c17p-10,
	0x1.a01a01a01a01ap-16,
	-0x1.27e4fb7789f5cp-22,
	0x1.1eed8eff8d898p-29,
	-0x1.93974a8c07c9dp-37,
	0x1.ae7f3e733b81fp-45,
	-0x1.6827863b97d97p-53,
}
