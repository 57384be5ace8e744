// SPDX-License-Identifier: MIT

// Package sampler executes the messages of the texture sampler: sampling, gathering, loads of texels, levels of detail
// and queries. [DecodeSampler] decodes a descriptor; [SamplerRows] lists the messages with their parameters and the
// function that runs each. Package core/texture implements filtering and formats.
package sampler
