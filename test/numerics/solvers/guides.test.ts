// Goal: what a solver tells a stranger holds: its problems run as they are, its figures are there, its words name its
// own inputs. Method: each guide against the schemas and the limits of its solver; the problems that take little work
// are run whole and judged by their checks, and each figure that is read first is one in one of them at least.
import assert from 'node:assert/strict'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/solvers/guides')

/** Work units up to which a problem is run here: a second or less. */
const RUN_WORK_MAX = 300
const RUNS_MS_MAX = 120_000

const guided = solvers.flatMap((solver) => (solver.guide === undefined ? [] : [{ solver, guide: solver.guide }]))

/** Solvers that need what a node gives them, its rows or its time: their problems are run on one. */
const isAlone = ({ aided, completed }: Solver): boolean => aided === undefined && completed === undefined

interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly items?: SchemaPart
  readonly anyOf?: readonly SchemaPart[]
  readonly type?: string
}

/** Whether a path leads to a member; within a list each place is its items. */
const leads = (schema: SchemaPart | undefined, [name, ...rest]: readonly string[]): boolean => {
  if (schema === undefined) return false
  if (name === undefined) return true
  const plain = schema.anyOf?.find((it) => it.type !== 'null') ?? schema
  if (plain.properties !== undefined) return leads(plain.properties[name], rest)
  return /^\d+$/.test(name) && leads(plain.items ?? {}, rest)
}

test('each solver has a guide: three to five problems of different names, one to five figures', () => {
  assert.deepEqual(
    solvers.filter(({ guide }) => guide === undefined).map(({ name }) => name),
    [],
  )
  for (const { solver, guide } of guided) {
    const { presets, headline } = guide
    assert(presets.length >= 3 && presets.length <= 5, solver.name)
    assert(headline.length >= 1 && headline.length <= 5, solver.name)
    assert.equal(new Set(presets.map((it) => it.name)).size, presets.length, solver.name)
  }
})

test('a guide names members that are there', () => {
  for (const { solver, guide } of guided) {
    for (const { member } of guide.headline) {
      assert(leads(solver.output as SchemaPart, member.split('.')), `${solver.name} ${member}`)
    }
    for (const path of guide.advanced)
      assert(leads(solver.input as SchemaPart, path.split('.')), `${solver.name} ${path}`)
  }
})

test('every problem is within the limits of callers without an account', () => {
  for (const { solver, guide } of guided) {
    for (const { name, input } of guide.presets) {
      const full = resolveInput(solver, input)
      if (isAlone(solver)) solver.refuse(full)
      assert(solver.work(full) <= solver.limits.workAnonymousMax, `${solver.name}: ${name}`)
    }
  }
})

test(
  'the lighter problems pass their checks, and every figure that is read first is there in one of them',
  () => {
    for (const { solver, guide } of guided.filter((it) => isAlone(it.solver))) {
      const seen = new Set<string>()
      const inputs = guide.presets.map(({ input }) => resolveInput(solver, input))
      const light = inputs.filter((input) => solver.work(input) <= RUN_WORK_MAX)
      for (const input of light) {
        const { output } = produce(solver, input).outcome
        for (const { member } of guide.headline) {
          const value = member
            .split('.')
            .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | null)?.[name], output)
          if (['number', 'string', 'boolean'].includes(typeof value)) seen.add(member)
        }
      }
      const missing = guide.headline.filter(({ member }) => !seen.has(member)).map(({ member }) => member)
      if (light.length === inputs.length) assert.deepEqual(missing, [], solver.name)
    }
  },
  RUNS_MS_MAX,
)

test.run()
