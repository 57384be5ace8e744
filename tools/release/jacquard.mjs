// SPDX-License-Identifier: MIT

// Runs jacquard in Node.js and in browsers. As a module:
//
//	import { jacquard } from "./jacquard.mjs";
//	const { status, stdout, stderr } = await jacquard(["compile", "a.spv", "--emit", "json"], { "a.spv": bytes });
//
// Arguments are those of the command; files are a Uint8Array or string by name, and the command sees no others. Files that it
// writes are added to the object. The file "-" is standard input. stdout is a Uint8Array, stderr a string. Calls may overlap.
// As a command, with the files of the system:
//
//	node jacquard.mjs compile a.spv
//
// jacquard.wasm and wasm_exec.js, which is a part of Go, are in the same folder.
const node = typeof process === "object" && process.versions?.node;
globalThis.crypto ??= (await import("node:crypto")).webcrypto; // before Node.js 19
await import("./wasm_exec.js");

const location = new URL("jacquard.wasm", import.meta.url);
let compiled; // the promise of the WebAssembly module

async function load() {
	if (node) {
		const { readFile } = await import("node:fs/promises");
		return WebAssembly.compile(await readFile(location));
	}
	const response = await fetch(location);
	if (!response.ok) throw new Error(`${location}: ${response.status}`);
	return WebAssembly.compile(await response.arrayBuffer()); // whatever its type
}

// Starts the command on a file system and returns the promise of its exit status.
async function start(args, fs, env) {
	const module = await (compiled ??= load());
	const go = new Go();
	go.argv = ["jacquard", ...args];
	go.env = env;
	let status = 0;
	go.exit = (code) => { status = code; };
	const instance = await WebAssembly.instantiate(module, go.importObject);
	globalThis.fs = fs; // Go reads it when it starts
	await go.run(instance);
	return status;
}

export async function jacquard(args, files = {}) {
	const out = [], err = [];
	const status = await start(args, memory(files, out, err), {});
	return { status, stdout: joined(out), stderr: new TextDecoder().decode(joined(err)) };
}

function joined(parts) {
	const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
	let at = 0;
	for (const p of parts) {
		all.set(p, at);
		at += p.length;
	}
	return all;
}

// Returns the functions of Node's fs that Go uses, for files in memory.
function memory(files, out, err) {
	const encoder = new TextEncoder();
	const bytes = (name) => typeof files[name] === "string" ? encoder.encode(files[name]) : files[name];
	const key = (path) => path.split("/").filter((part) => part !== "" && part !== ".").join("/");
	const open = new Map([[0, { name: "-", at: 0 }], [1, { sink: out }], [2, { sink: err }]]);
	const failed = (code) => Object.assign(new Error(code), { code });
	const inside = (name) => name === "" ? "" : name + "/"; // how the names in a folder start
	const isFolder = (name) => inside(name) === "" || Object.keys(files).some((f) => f.startsWith(inside(name)));
	const stat = (name) => {
		const folder = isFolder(name);
		return {
			dev: 0, ino: 0, mode: folder ? 0o040555 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: folder ? 0 : (bytes(name) ?? []).length,
			blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => folder,
		};
	};
	const known = (name) => isFolder(name) || Object.hasOwn(files, name);
	const put = (f, data) => {
		if (f.sink) {
			f.sink.push(data.slice());
		} else {
			files[f.name] = joined([bytes(f.name), data]);
		}
		return data.length;
	};
	const fs = {
		constants: { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 },
		writeSync: (fd, data) => put(open.get(fd), data),
		write(fd, data, offset, length, position, done) { done(null, put(open.get(fd), data.subarray(offset, offset + length))); },
		read(fd, to, offset, length, position, done) {
			const f = open.get(fd);
			const data = bytes(f.name) ?? new Uint8Array();
			const at = position ?? f.at;
			const part = data.subarray(at, at + length);
			to.set(part, offset);
			if (position === null) f.at += part.length;
			done(null, part.length);
		},
		open(path, flags, mode, done) {
			const name = key(path);
			if (!known(name) && !(flags & 64)) return done(failed("ENOENT"));
			if (!known(name) || flags & 512) files[name] = new Uint8Array();
			const fd = Math.max(...open.keys()) + 1;
			open.set(fd, { name, at: 0 });
			done(null, fd);
		},
		close(fd, done) { open.delete(fd); done(null); },
		fstat(fd, done) { done(null, stat(open.get(fd).name ?? "-")); },
		stat(path, done) { known(key(path)) ? done(null, stat(key(path))) : done(failed("ENOENT")); },
		lstat(path, done) { fs.stat(path, done); },
		readdir(path, done) {
			const start = inside(key(path));
			const names = Object.keys(files).filter((f) => f.startsWith(start)).map((f) => f.slice(start.length).split("/")[0]);
			done(null, [...new Set(names)]);
		},
		fsync(fd, done) { done(null); },
	};
	for (const name of ["chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "mkdir", "readlink", "rename", "rmdir", "symlink",
		"truncate", "unlink", "utimes"]) {
		fs[name] = (...args) => args.at(-1)(failed("ENOSYS"));
	}
	return fs;
}

if (node) {
	const { default: system } = await import("node:fs");
	const { fileURLToPath } = await import("node:url");
	if (process.argv[1] && system.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
		globalThis.path = await import("node:path");
		process.exitCode = await start(process.argv.slice(2), system, { ...process.env });
	}
}
