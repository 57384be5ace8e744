// SPDX-License-Identifier: MIT

// Package runner executes scripts of execution tests. A [Script], which package amber parses, has shaders, buffers,
// images, pipelines and commands; [Script.Run] executes the commands in order on an [Engine], which runs one dispatch at
// a time: an interpreter, a model of the machine, a Vulkan driver. An engine that can draw implements [Drawer]. The
// result is a [Report] on the expectations. The package knows neither the syntax of scripts nor the compiler.
package runner
