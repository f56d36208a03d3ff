import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Static, TObject } from 'typebox'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { threadMs } from '../thread-time.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000
const OUTPUT_BYTES_MAX = 16_777_216

/** Milliseconds of processor time of one round (ours, below 50, by the clock) and its accuracy, as its runner says. */
export interface Round {
  readonly ms: number
  /** Error against the same reference for everybody, with its measure: `4.2e-6 of the price`. */
  readonly said: string
}

/** Somebody else who solves the same problem. */
export interface Peer {
  readonly name: string
  /** `peer`: the program that the field uses. `c`: the arithmetic of our kernel, compiled by gcc. */
  readonly kind: 'peer' | 'c'
  /** The Debian packages it comes from. */
  readonly packages: readonly string[]
  /** Makes it ready in an empty folder. @throws Error saying why it cannot run here. */
  prepare(folder: string): Promise<() => Promise<Round>>
}

/** One problem with everybody who solves it, at equal size and equal accuracy. */
export interface Case {
  readonly solver: string
  /** Size and accuracy in words. */
  readonly problem: string
  ours(): Round
  readonly peers: readonly Peer[]
}

const source = (file: string): string => fileURLToPath(new URL(`../peers/${file}`, import.meta.url))

/** Debian's own Python, which its packages belong to. */
const PYTHON = '/usr/bin/python3'

const said = (stdout: string): Round => {
  const [, ms, words] = /^\s*([\d.eE+-]+)[ \t]*(.*)/.exec(stdout) ?? []
  if (ms === undefined) throw new Error(`a peer prints milliseconds and its accuracy, not ${stdout.slice(0, 80)}`)
  return { ms: Number(ms), said: words ?? '' }
}

/** One thread for the libraries below NumPy: those that wait for each other would be charged for waiting. */
const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }

const runs = (program: string, args: readonly string[]) => async (): Promise<Round> =>
  said((await run(program, args, { timeout: PEER_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX, env })).stdout)

/** Runs shorter than this are told by the clock: the system counts a thread's time in steps of some milliseconds. */
const COUNTED_MS_MIN = 50

/**
 * Starts a watch, which tells the milliseconds of processor time that this thread has had since: what a clock would
 * show on a machine that does nothing else. On a shared one a clock may show twice as much in one run as in the next.
 * What the engine compiles and collects on other threads meanwhile is not in it.
 */
export const watch = (): (() => number) => {
  const [clock, counted] = [performance.now(), threadMs()]
  return () => {
    const ms = performance.now() - clock
    return ms < COUNTED_MS_MIN ? ms : threadMs() - counted
  }
}

/**
 * A script of `scripts/bench/peers` for Debian's Python. It times itself and prints milliseconds of processor
 * time and its accuracy.
 *
 * @param modules what it imports, asked for before.
 */
export const python = (
  name: string,
  file: string,
  {
    args = [],
    packages,
    modules,
  }: { args?: readonly string[]; packages: readonly string[]; modules: readonly string[] },
): Peer => ({
  name,
  kind: 'peer',
  packages,
  prepare: async () => {
    const program = existsSync(PYTHON) ? PYTHON : 'python3'
    await run(program, ['-c', `import ${modules.join(', ')}`])
    return runs(program, [source(file), ...args])
  },
})

/** A C program of `scripts/bench/peers`, compiled as the kernels are: no fused multiply-add, no reordered sums. */
export const c = (
  name: string,
  file: string,
  {
    args = [],
    kind = 'c',
    flags = [],
  }: { args?: readonly string[]; kind?: Peer['kind']; flags?: readonly string[] } = {},
): Peer => ({
  name,
  kind,
  packages: ['gcc'],
  prepare: async (folder) => {
    const program = join(folder, file.replace(/\.c$/, ''))
    await run('gcc', ['-O3', '-ffp-contract=off', ...flags, '-o', program, source(file), '-lm'])
    return runs(program, args)
  },
})

/**
 * A solve as its solver does it, without digests and check: what a peer does too.
 *
 * @returns milliseconds of processor time and the output.
 */
export const solved = <I extends TObject, O extends TObject, E, S>(
  { input: schema, run: way, refuse }: Solver<I, O, E, S>,
  raw: object,
): { readonly ms: number; readonly output: Static<O> } => {
  const input = resolveInput({ input: schema }, raw)
  refuse(input)
  const none = (): void => undefined
  const spent = watch()
  if (way.kind === 'whole') {
    const { output } = way.solve(input, none)
    return { ms: spent(), output }
  }
  const { output } = way.finish(input, way.advance(input, way.init(input), 0, way.steps(input), none))
  return { ms: spent(), output }
}
