import { positiveZero } from '#core/arrays.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { rangeOf } from '#numerics/plot/figures.ts'
import type { Plot, Seen } from '#numerics/plot/plot.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Outcome, Progress, Solver } from '#numerics/runtime/solver.ts'

/** Moments of a run that are kept, and the numbers that all of them may hold: bounded memory. */
const MOMENTS_MAX = 40
const NUMBERS_MAX = 8_000_000

/** What a run looks like after so many of its steps. */
export interface PlayFrame {
  readonly step: number
  readonly steps: number
  readonly plots: readonly Plot[]
}

const numbersIn = (plots: readonly Plot[]): number =>
  plots.reduce((sum, plot) => {
    const own = plot.kind === 'curves' ? 0 : plot.values.length
    const curves = plot.kind === 'curves' ? plot.curves : plot.kind === 'map' ? (plot.over ?? []) : []
    return sum + own + curves.reduce((all, it) => all + it.x.length + it.y.length, 0)
  }, 1)

/** Typed arrays and arrays of numbers are one and the same in what is compared. */
const plain = (_: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Float64Array, (it) => it) : value

/** A digest of everything that plots show: two of the same digest are drawn alike, number by number. */
export const digestOfPlots = (plots: readonly Plot[]): string => toHex(sha256(utf8(JSON.stringify(plots, plain))))

/** A title says how the run ended; on the way it says how far it is. */
const titled = (plot: Plot, step: number, steps: number): Plot =>
  step === steps ? plot : { ...plot, title: `${plot.title.replace(/ after [^,]*/, '')}, step ${step} of ${steps}` }

/** At which steps frames are taken, of `moments` after the start: spread evenly, the last among them. */
const stepsShown = (steps: number, moments: number): readonly number[] =>
  Array.from({ length: moments }, (_, k) => Math.round((steps * (k + 1)) / moments))

/** Plots of where a run is. Some solvers have no answer on the way, and then nothing is shown. */
const plotsAt = (
  { plots }: Solver,
  input: Parameters<NonNullable<Solver['plots']>>[0],
  {
    finish,
    isEnd,
  }: { readonly finish: () => Outcome<Parameters<NonNullable<Solver['plots']>>[1], unknown>; readonly isEnd: boolean },
): readonly Plot[] | undefined => {
  try {
    return plots?.(input, positiveZero(finish().output))
  } catch (cause) {
    if (isEnd) throw cause
    return undefined
  }
}

/**
 * Runs a stepped solver again on the very input, and gives its plots on the way and at its end. The state is asked for
 * its answer on the way: whether that left the run alone is seen by the digest of the last frame.
 */
export function* framesOf(solver: Solver, raw: object, progress: Progress = () => undefined): Generator<PlayFrame> {
  const { run } = solver
  if (run.kind !== 'steps' || solver.plots === undefined) return
  const input = resolveInput(solver, raw)
  const steps = run.steps(input)
  let state = run.init(input)
  let [from, moments] = [0, MOMENTS_MAX]
  while (from < steps) {
    const to = stepsShown(steps, moments).find((it) => it > from) ?? steps
    state = run.advance(input, state, from, to, progress)
    from = to
    const plots = plotsAt(solver, input, { finish: () => run.finish(input, state), isEnd: to === steps })
    if (plots === undefined) continue
    // How many there is room for is known with the first.
    moments = Math.max(1, Math.min(moments, Math.floor(NUMBERS_MAX / numbersIn(plots))))
    yield { step: to, steps, plots: plots.map((it) => titled(it, to, steps)) }
  }
}

/** What stays over all frames of one plot: the axes of curves, the range of a map's colours. */
interface Steady {
  readonly seen?: Seen
  readonly range?: readonly [number, number]
}

/** One scale for all moments, plot by plot. */
export const steadyOf = (frames: readonly PlayFrame[]): readonly Steady[] =>
  (frames[0]?.plots ?? []).map((plot, i): Steady => {
    const all = frames.flatMap(({ plots }) => plots[i] ?? [])
    if (plot.kind === 'map') {
      return { range: rangeOf(all.flatMap((it) => (it.kind === 'map' ? rangeOf(it.values) : []))) }
    }
    if (plot.kind === 'bars') return {}
    const { x, y } = axesOf({ ...plot, curves: all.flatMap((it) => (it.kind === 'curves' ? it.curves : [])) })
    return { seen: { x: [x.low, x.high], y: [y.low, y.high] } }
  })
