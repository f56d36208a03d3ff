// Goal: a run that is played ends with what was sealed, number by number, keeps bounded memory, and says how far it is.
// Method: every stepped solver of the node, on a small input of its own, beside its run from end to end.
import assert from 'node:assert/strict'
import { resolveInput } from '#numerics/runtime/input.ts'
import { run } from '#numerics/runtime/run.ts'
import { aided, type Solver, withoutAid } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { digestOfPlots, framesOf, steadyOf } from '#ui/plot/play-frames.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/plot-play')

/** Inputs that are quick; a solver that is not here is asked with its defaults. */
const quick: Readonly<Record<string, object>> = {
  heat: { nx: 24, ny: 20, steps: 90 },
  wave: { nx: 24, ny: 24 },
  climate: { nx: 16, ny: 16 },
  react: { n: 32 },
  fracture: { mode: 'bar' },
  solve: { referenceMode: 'free-fall' },
}

const solverOf = (name: string): Solver => {
  const found = solvers.find((it) => it.name === name)
  assert(found !== undefined, name)
  return aided(found, withoutAid)
}

for (const name of ['heat', 'wave', 'climate', 'lotka', 'multibody', 'solve', 'react', 'fracture', 'flow', 'tumor']) {
  test(`${name}: the last frame of a played run has the digest of the run that was not looked at`, () => {
    const solver = solverOf(name)
    const input = quick[name] ?? {}
    const frames = [...framesOf(solver, input)]
    assert(frames.length > 1 && frames.length <= 40, `${frames.length} frames`)
    const full = resolveInput(solver, input)
    const { output } = run(solver, full).outcome
    const sealed = solver.plots?.(full, output) ?? []
    assert.equal(digestOfPlots(frames.at(-1)?.plots ?? []), digestOfPlots(sealed))
    assert.notEqual(digestOfPlots(frames[0]?.plots ?? []), digestOfPlots(sealed))
    // What came over the wire as plain numbers has the same digest.
    assert.equal(
      digestOfPlots(solver.plots?.(full, JSON.parse(JSON.stringify(output, plain))) ?? []),
      digestOfPlots(sealed),
    )
  })
}

const plain = (_: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value

test('frames of heat: evenly spread, titled by their step, one range of colours over all of them', () => {
  const frames = [...framesOf(solverOf('heat'), { nx: 24, ny: 24, steps: 80 })]
  assert.deepEqual(
    frames.map(({ step }) => step),
    Array.from({ length: 40 }, (_, k) => 2 * (k + 1)),
  )
  assert.equal(frames[0]?.plots[0]?.title, 'Temperature, step 2 of 80')
  assert.match(frames.at(-1)?.plots[0]?.title ?? '', /^Temperature after /)
  const [{ range } = {}] = steadyOf(frames)
  const all = frames.flatMap(({ plots: [plot] }) =>
    plot?.kind === 'map' ? [Math.max(...Array.from(plot.values))] : [],
  )
  assert.equal(range?.[1], Math.max(...all))
})

test('a large field is kept at fewer moments, and a whole solver at none', () => {
  const frames = [...framesOf(solverOf('heat'), { nx: 1000, ny: 1000, steps: 12 })]
  assert(frames.length <= 8, `${frames.length} frames`)
  assert.equal(frames.at(-1)?.step, 12)
  assert.deepEqual([...framesOf(solverOf('quant'), {})], [])
})

test.run()
