// Goal: the list of what is known wrong is sound, and each of its rows is met by what it is about and not by what was
// right. Method: the shipped list against the solvers that run, and inputs on both sides of every condition.
import assert from 'node:assert/strict'
import { advisoriesOf } from '#core/advisory.ts'
import type { Json } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { suite } from '../kit/suite.ts'

const test = suite('numerics/advisories')

test('every row is of a solver here, of earlier revisions, and its successor is here', () => {
  for (const { id, solver, revisions, successor } of advisoriesHere()) {
    const today = solverByName(solver)
    assert(today !== undefined, id)
    assert(
      revisions.every((it) => it < today.revision),
      `${id}: what runs here is not itself wrong`,
    )
    assert(successor === null || Number(successor.split('@')[1]) <= today.revision, id)
  }
})

const idsOf = (solver: string, raw: object): readonly string[] => {
  const [name = ''] = solver.split('@')
  const today = solverByName(name)
  assert(today !== undefined)
  const inputs = JSON.parse(JSON.stringify(resolveInput(today, raw))) as Json
  const claim = { code: { solver } } as Pick<Claim, 'code'>
  return advisoriesOf(claim, inputs, advisoriesHere()).map(({ id }) => id)
}

test('a row is met by what it is about, and not by what was right', () => {
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['heat@1', { initial: { kind: 'box' } }, ['TM-2026-1']],
    ['heat@1', {}, []],
    ['heat@2', { initial: { kind: 'box' } }, []],
    ['heat@2', { nx: 64, ny: 64 }, ['TM-2026-16']],
    ['heat@2', { initial: { kind: 'mode', m: 3 } }, ['TM-2026-16']],
    ['heat@2', { boundary: { kind: 'periodic' }, initial: { kind: 'mode', m: 3 } }, []],
    ['heat@2', { dim: 1, nx: 40 }, ['TM-2026-16']],
    ['heat@3', { nx: 64, ny: 64 }, []],
    ['device@1', { sides: { left: 1 } }, ['TM-2026-2']],
    ['device@1', { sides: { top: null } }, ['TM-2026-2']],
    ['device@1', {}, []],
    ['device@1', { sides: { left: 1 }, electrodes: [] }, []],
    ['device@2', { sides: { right: 1 }, electrodes: [{ x0: 1, y0: 1, x1: 1.5, y1: 1.5 }] }, ['TM-2026-15']],
    ['device@2', { charge: { kind: 'boxes' } }, ['TM-2026-15']],
    ['device@2', {}, []],
    ['device@2', { sides: { right: 1 } }, []],
    ['multibody@1', {}, ['TM-2026-3']],
    ['multibody@2', {}, ['TM-2026-3']],
    ['multibody@3', {}, []],
    ['fracture@1', {}, ['TM-2026-4']],
    ['fracture@1', { mode: 'bar' }, []],
    ['react@2', {}, ['TM-2026-5']],
    ['react@2', { steps: 40 }, []],
    ['climate@1', { mode: 'general' }, ['TM-2026-6']],
    ['climate@1', { mode: 'general', nx: 128, ny: 128 }, []],
    ['climate@1', {}, []],
    ['flow@1', { case: 'channel', ny: 36 }, ['TM-2026-7']],
    ['flow@1', { case: 'channel' }, []],
    ['flow@1', {}, []],
    ['flow@1', { case: 'cavity' }, ['TM-2026-12']],
    ['flow@1', { nx: 64 }, ['TM-2026-13']],
    ['flow@1', { nx: 256, ny: 128 }, []],
    ['wave@1', {}, []],
    ['wave@1', { nx: 96, ny: 64 }, ['TM-2026-17']],
    ['wave@1', { mode: 'maxwell', nx: 96 }, []],
    ['wave@2', { nx: 96, ny: 64 }, []],
    ['climate@2', { mode: 'dam-break' }, ['TM-2026-10']],
    ['climate@2', {}, []],
    ['fea@1', { root: 'clamp' }, ['TM-2026-8']],
    ['fea@1', { root: 'clamp', nx: 20 }, ['TM-2026-8']],
    ['fea@2', { root: 'clamp' }, []],
    ['fea@1', { nx: 20 }, ['TM-2026-9']],
    ['fea@1', { L: 4 }, ['TM-2026-9']],
    ['fea@1', { problem: 'hole', plate: { radial: 16 } }, ['TM-2026-9']],
    ['fea@1', { problem: 'hole', root: 'clamp' }, []],
    ['fea@1', {}, []],
    ['tumor@1', { initial: { kind: 'gaussian' } }, ['TM-2026-11']],
    ['tumor@1', {}, []],
    ['lorenz@1', { rho: 160 }, ['TM-2026-14']],
    ['lorenz@1', { sigma: 16 }, ['TM-2026-14']],
    ['lorenz@1', {}, []],
    ['lorenz@2', { rho: 160 }, []],
    ['tumor@2', { initial: { kind: 'gaussian' } }, []],
  ]
  for (const [solver, raw, ids] of cases) assert.deepEqual(idsOf(solver, raw), ids, `${solver} ${JSON.stringify(raw)}`)
})

test.run()
