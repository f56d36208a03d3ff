import assert from 'node:assert/strict'
import type { TObject } from 'typebox'
import { Fault } from '#core/fault.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { type InputLeaf, leavesOf } from '#routing/leaves.ts'
import type { suite } from '../../kit/suite.ts'

const registry = loadRegistry()

/** Seals an input, or says why not. */
export const refusalOf = (solver: Solver, raw: object): Fault | undefined => {
  try {
    const own = aided(solver, { registry: () => registry })
    const input = resolveInput(own as Solver<TObject>, raw) as Record<string, unknown>
    own.refuse(input)
    produce(own, input as never)
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const inputOf = ({ path }: InputLeaf, value: string): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object

/** Laid over one another, objects within objects too. */
const over = (under: object, more: object): object => {
  const below = under as Readonly<Record<string, unknown>>
  const entries = Object.entries(more).map(([name, value]) => {
    const [inner, first] = [value as unknown, below[name]]
    const both = [inner, first].every((it) => typeof it === 'object' && it !== null && !Array.isArray(it))
    return [name, both ? over(first as object, inner as object) : inner]
  })
  return { ...under, ...Object.fromEntries(entries) }
}

const testSolver = (test: ReturnType<typeof suite>, solver: Solver): void => {
  const leaves = leavesOf(solver.input)
  const choices = leaves.flatMap((leaf) =>
    leaf.values
      .filter((it): it is string => typeof it === 'string' && it !== leaf.initial)
      .map((value) => ({ leaf, value })),
  )
  if (choices.length === 0) return
  test(`${solver.name}: ${choices.length} choices seal alone, or say what is missing`, () => {
    for (const { leaf, value } of choices) {
      const raw = inputOf(leaf, value)
      const refusal = refusalOf(solver, raw)
      if (refusal === undefined) continue
      const said = `${solver.name} ${leaf.path}=${value}: ${refusal.code} ${refusal.message}`
      const others = leaves.filter(({ path }) => path !== leaf.path)
      const path = refusal.details['path']
      const named =
        (typeof path === 'string' && path.length > 1) ||
        others.some(({ path: it, key }) => new RegExp(`\\b(?:${it}|${key})\\b`, 'u').test(refusal.message))
      assert(named, said)
      const { suggestion } = refusal.details
      if (suggestion === undefined) continue
      assert.equal(refusalOf(solver, over(raw, suggestion as object)), undefined, said)
    }
  }, 120_000)
}

/** Tests of every choice of every solver that a file takes. */
export const testModes = (test: ReturnType<typeof suite>, takes: (name: string) => boolean): void => {
  for (const solver of solvers.filter(({ name }) => takes(name))) testSolver(test, solver)
}

/** Solvers of fields over time, whose defaults take seconds each: they have a file of their own. */
export const FIELDS: ReadonlySet<string> = new Set(['climate', 'flow', 'react', 'wave'])
