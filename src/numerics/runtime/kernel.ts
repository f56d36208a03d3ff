import { assert } from '#core/assert.ts'
import { fromBase64, toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import * as module from '#kernels'

/** Names of the compiled modules; `release` beside them is the digest of the sources that a replay must load. */
export type KernelName = Exclude<keyof typeof module, 'release'>

type Call = (...args: readonly number[]) => number

/** One running instance of a compiled module with memory of its own. */
export interface Kernel {
  readonly call: Readonly<Record<string, Call>>
  /** Makes the memory at least this large; earlier views die when it grows. */
  readonly reserve: (bytes: number) => void
  /** A view of `length` doubles from a byte offset that is a multiple of 8. Take it after the last `reserve`. */
  readonly f64: (offset: number, length: number) => Float64Array
}

/** The first byte that is free for data: a stub-runtime module keeps its own constants far below it or not at all. */
export const KERNEL_DATA_START = 65_536
/** Bytes a kernel's memory may reach: larger problems are refused by work limits long before. */
export const KERNEL_BYTES_MAX = 1_073_741_824

const PAGE_BYTES = 65_536

const base64Of = (name: string): string => {
  const text = Object.entries(module).find(([key]) => key === name && key !== 'release')?.[1]
  assert(text !== undefined, `there is no kernel ${name}`)
  return text
}

const bytes = new Map<string, Uint8Array<ArrayBuffer>>()

/** The WebAssembly bytes of a kernel, as compiled. */
export const kernelBytes = (name: string): Uint8Array<ArrayBuffer> => {
  const known = bytes.get(name)
  if (known !== undefined) return known
  const fresh = new Uint8Array(fromBase64(base64Of(name)))
  bytes.set(name, fresh)
  return fresh
}

/** Every claim names those of its kernels. */
const digests = new Map<string, string>()

/** SHA-256 of a kernel's WebAssembly bytes, lower-case hex: `code.kernels` of a claim. */
export const kernelDigest = (name: string): string => {
  const known = digests.get(name)
  if (known !== undefined) return known
  const fresh = toHex(sha256(kernelBytes(name)))
  digests.set(name, fresh)
  return fresh
}

/** Digest of the sources of core and numerics, hex: `code.release` of a claim. */
export const release: string = module.release

const compiled = new Map<string, WebAssembly.Module>()

/** A new instance of a kernel; compiling happens once per name and thread. */
export const loadKernel = (name: KernelName): Kernel => {
  let code = compiled.get(name)
  if (code === undefined) {
    code = new WebAssembly.Module(kernelBytes(name))
    compiled.set(name, code)
  }
  const exports = new WebAssembly.Instance(code, {}).exports
  const { memory } = exports
  const grown = (): WebAssembly.Memory => {
    assert(memory instanceof WebAssembly.Memory, `kernel ${name} has a memory`)
    return memory
  }
  return {
    call: exports as Record<string, Call>,
    reserve: (count) => {
      assert(count <= KERNEL_BYTES_MAX, 'kernel memory is within its bound')
      const missing = Math.ceil((count - grown().buffer.byteLength) / PAGE_BYTES)
      if (missing > 0) grown().grow(missing)
    },
    f64: (offset, length) => new Float64Array(grown().buffer, offset, length),
  }
}
