// What every engine works out for scripts/same-bits.ts: a digest per function of numerics/math.ts and of the special
// functions over many arguments, the digests of every published solver row and of its segments taken up from their
// bytes, and one of every operator. It runs as it is on Node and, bundled, in a browser.

import { littleEndianBytes } from '#core/arrays.ts'
import { toHex } from '#core/bytes.ts'
import { equationsDigest } from '#core/envelope.ts'
import { sha256 } from '#crypto'
import * as math from '#numerics/math.ts'
import { fft } from '#numerics/methods/fft.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import * as special from '#numerics/operators/special.ts'
import { equationsOf, fieldEquations } from '#numerics/runtime/equations.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { kernelDigest } from '#numerics/runtime/kernel.ts'
import { aided, operatorsOf } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { operatorDigests } from './same-bits-operators.ts'
import { takenUp } from './same-bits-segments.ts'

/** Arguments per function. */
export const ARGUMENTS = 131_072

/** A generator of 32-bit words (xorshift, Marsaglia 2003): integers only, so the arguments are the same everywhere. */
const words = (seed: number): (() => number) => {
  let x = seed
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x >>> 0
  }
}

/** 2^−20 to 2^19, by doubling: no engine's power is asked. */
const OCTAVES: readonly number[] = Array.from({ length: 40 }).reduce<number[]>(
  (all) => [...all, 2 * (all.at(-1) ?? 4.76837158203125e-7)],
  [],
)

/**
 * Arguments of four kinds in turn: any bits at all, within ±1, within ±700, and positive over forty octaves. NaN has
 * many spellings and is left out.
 */
const drawArguments = (seed: number): Float64Array => {
  const next = words(seed)
  const values = new Float64Array(ARGUMENTS)
  const bits = new Uint32Array(values.buffer)
  for (let i = 0; i < ARGUMENTS; i++) {
    const high = next()
    const low = next()
    if (i % 4 === 0) {
      bits[2 * i] = low
      bits[2 * i + 1] = high
      if (Number.isNaN(values[i])) values[i] = 0
      continue
    }
    const unit = (high * 4_294_967_296 + low) / 1.8446744073709552e19
    values[i] =
      i % 4 === 1 ? 2 * unit - 1 : i % 4 === 2 ? 1_400 * (unit - 0.5) : (1 + unit) * OCTAVES[high % OCTAVES.length]
  }
  return values
}

/** SHA-256 over results, every NaN written the one way. */
const digestOf = (values: Float64Array): string => {
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = Number.NaN
  return toHex(sha256(littleEndianBytes(values)))
}

const functionDigests = (functions: object): readonly (readonly [string, string])[] => {
  const first = drawArguments(0x7169)
  const second = drawArguments(0x1287)
  return Object.entries(functions).flatMap(([name, value]) => {
    if (typeof value !== 'function') return []
    const f = value as (x: number, y: number) => number
    return [[name, digestOf(first.map((x, i) => f(x, second[i])))] as const]
  })
}

const transformDigest = (length: number): string => {
  const re = drawArguments(length)
    .slice(0, length)
    .map((x) => (Math.abs(x) < 1e3 ? x : 1))
  const im = re.slice().reverse()
  fft(length).forward(re, im)
  return digestOf(Float64Array.of(...re, ...im))
}

/** A published row, as far as it states a run. */
export interface Row {
  readonly solver: string
  readonly inputs: object
}

/** Milliseconds between two words of progress. */
const WORD_MS = 10_000

/** Says what is worked on now, at most every ten seconds, as a browser's console and Node's both can. */
const progress = () => {
  let last = performance.now()
  return (what: string): void => {
    if (performance.now() - last < WORD_MS) return
    last = performance.now()
    console.error(`  ${what}`)
  }
}

/**
 * Name → hex or number, in one fixed order. A browser has no folders to read from, so the data comes along.
 *
 * @param operatorTexts the operator rows as they are shipped, JSON lines.
 * @param rows the published rows of all solvers.
 */
export const digests = (operatorTexts: readonly string[], rows: readonly Row[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  const told = progress()
  for (const [name, digest] of functionDigests(math)) found[`math.${name}`] = digest
  for (const [name, digest] of functionDigests(special)) found[`special.${name}`] = digest
  for (const length of [1_024, 1_000, 997]) found[`fft ${length}`] = transformDigest(length)
  for (const name of new Set(solvers.flatMap((it) => it.kernels))) found[`kernel ${name}`] = kernelDigest(name)
  const registry = operatorRegistry(operatorTexts.flatMap(rowsOfText))
  for (const [done, { solver: revision, inputs }] of rows.entries()) {
    told(`row ${done + 1} of ${rows.length}, ${revision}`)
    const bare = solvers.find((it) => `${it.name}@${it.revision}` === revision)
    if (bare === undefined) throw new Error(`no solver ${revision}`)
    const solver = aided(bare, { registry: () => registry })
    const input = resolveInput(solver, inputs)
    const { produced, segments } = takenUp(solver, input)
    const { outcome, resultDigest, steps, value, reality } = produced
    const field = fieldEquations(solver.field?.(input, outcome), operatorsOf(solver, input).length)
    const name = `${revision} ${JSON.stringify(inputs)}`
    found[`${name} result`] = resultDigest
    found[`${name} steps`] = steps?.root ?? 'none'
    found[`${name} segments`] = segments
    found[`${name} measured`] = String(reality?.errorPct)
    found[`${name} equations`] = equationsDigest(equationsOf({ S: value, phase: 0.1287, field }))
  }
  return { ...found, ...operatorDigests(operatorTexts, words) }
}
