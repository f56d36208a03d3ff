// Goal: a refusal for want of resolution names an input that passes. Method: coarse inputs of every solver that has a
// resolution, whose suggestion is laid over them and sealed; inputs that no finer one within the range helps.
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { refinements } from '#numerics/runtime/refinements.ts'
import type { Reality, Solver } from '#numerics/runtime/solver.ts'
import { suggestionFor } from '#numerics/runtime/suggestion.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/suggestion')

type Raw = Readonly<Record<string, unknown>>

/** Laid over one another, objects within objects too. */
const over = (under: Raw, more: Raw): Raw => {
  const entries = Object.entries(more).map(([name, value]) => {
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value)
    return [name, inner ? over((under[name] ?? {}) as Raw, value as Raw) : value]
  })
  return { ...under, ...Object.fromEntries(entries) }
}

const solverOf = (name: string): Solver => {
  const found = solvers.find((it) => it.name === name)
  assert(found !== undefined, name)
  return found
}

const sealed = (name: string, raw: Raw): Reality | null => {
  const solver = solverOf(name)
  const input = resolveInput(solver, raw)
  solver.refuse(input)
  return produce(solver, input).reality
}

const refusal = (name: string, raw: Raw): Fault => {
  try {
    const reality = sealed(name, raw)
    assert.fail(`${name} ${JSON.stringify(raw)} seals with ${reality?.errorPct} %`)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const COARSE: readonly (readonly [string, Raw])[] = [
  ['action', { order: 4, stepsPerPeriod: 256 }],
  ['action', { stepsPerPeriod: 32 }],
  ['climate', { nx: 12, ny: 12 }],
  ['climate', { nx: 16, ny: 32 }],
  ['device', { nx: 8, ny: 8 }],
  ['device', { nx: 64, ny: 64 }],
  ['device', { dim: 1, junction: { points: 50 } }],
  ['fea', { nx: 4, ny: 1 }],
  ['fea', { nx: 6, ny: 2 }],
  ['fea', { problem: 'hole', plate: { radial: 4, around: 8 } }],
  ['fea', { root: 'clamp', L: 0.1 }],
  ['fea', { root: 'clamp', nu: 0.499 }],
  ['fea', { root: 'clamp', nx: 10, ny: 2 }],
  ['flow', { nx: 16, ny: 16 }],
  ['heat', { nx: 24, ny: 24 }],
  ['heat', { dt: 20, steps: 5 }],
  ['heat', { dim: 1, nx: 16 }],
  ['heat', { scheme: 'ftcs', nx: 24, ny: 24 }],
  ['multibody', { order: 2, dt: 125_550 }],
  ['multibody', { dt: 502_200 }],
  ['quant', { paths: 4_096 }],
  ['schrodinger', { points: 24 }],
  ['schrodinger', { points: 32 }],
  ['tumor', { nx: 32 }],
  ['tumor', { nx: 64 }],
  ['wave', { nx: 24, ny: 24 }],
  ['wave', { dim: 1, nx: 32 }],
  ['wave', { mode: 'maxwell', nx: 32, ny: 32 }],
  ['wave', { order: 2, nx: 64, ny: 64 }],
]

for (const [name, raw] of COARSE) {
  test(`${name} ${JSON.stringify(raw)} is told what passes, and it does`, () => {
    const { code, message, details } = refusal(name, raw)
    const { suggestion, measured, bound } = details as { suggestion?: Raw; measured: number; bound: number }
    assert.equal(code, 'PRECISION_NOT_MET')
    assert(suggestion !== undefined && measured > bound, message)
    assert.match(message, /By order [\d.]+, .+ would pass; about .+ work\.$/)
    for (const member of Object.keys(suggestion)) assert(message.includes(member), message)
    const reality = sealed(name, over(raw, suggestion))
    assert((reality?.errorPct ?? 1) <= bound)
  }, 60_000)
}

test('the members are inputs of their solver', () => {
  for (const name of Object.keys(refinements)) {
    const { input } = solverOf(name)
    const full = resolveInput({ input }, {})
    const { raise = [], lower = [] } = refinements[name]?.(full) ?? {}
    for (const path of [...raise, ...lower]) {
      assert(Object.hasOwn(input.properties, path.split('.')[0] ?? ''), `${name} ${path}`)
    }
  }
})

test('nothing is suggested beyond what may be asked; the sentence says so', () => {
  const { message, details } = refusal('heat', { dt: 50, steps: 2 })
  assert.equal(details['suggestion'], undefined)
  assert.match(message, /beyond what may be asked: .*263169/)
  const wave = solverOf('wave')
  const found = suggestionFor(wave, resolveInput(wave, { dim: 1, order: 2, nx: 8_192 }), 20)
  assert.equal(found?.suggestion, undefined)
  assert.match(found?.says ?? '', /beyond what may be asked: \/nx: must be <= 8192\./)
})

test('an error that is no matter of resolution gets none: not measured, something wrong, a state as given', () => {
  const heat = solverOf('heat')
  const input = resolveInput(heat, {})
  for (const pct of [Number.NaN, Number.POSITIVE_INFINITY, 100, 0.1]) {
    assert.equal(suggestionFor(heat, input, pct), undefined, String(pct))
  }
  assert(suggestionFor(heat, input, 0.2) !== undefined)
  const given = { ...input, initial: { ...(input['initial'] as object), kind: 'values' } }
  assert.equal(suggestionFor(heat, given, 0.2), undefined)
  assert.equal(suggestionFor(solverOf('sat'), resolveInput(solverOf('sat'), {}), 1), undefined)
})

test.run()
