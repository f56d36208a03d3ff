import { judgeShift, type ShiftInput, shiftInput, shiftOf, shiftOutput, shiftPlots } from '#numerics/general/shift.ts'
import { computed, filledIn, idsOf, refuseAmplitude, refuseZero } from '#numerics/general/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { type Aid, type Solver, solver, withoutAid } from '#numerics/solver.ts'

/** Work of the operators and of the sines at 50 digits. */
const WORK = 10

const shiftWith = (aid: Aid): Solver<typeof shiftInput, typeof shiftOutput, null, never> => {
  const specOf = ({ spec }: ShiftInput): Computation => computed(aid.registry(), spec)
  return solver<typeof shiftInput, typeof shiftOutput, null, never>({
    name: 'shift',
    revision: 1,
    title: 'Projection over ticks',
    summary: 'A computation as it will be stamped over 1 to 64 ticks ahead, or time turned by the gauge of KO42.',
    domain: 'kernel',
    method: 'operators once, instants and phases by integer nanoseconds',
    operators: ['NM19'],
    unit: 'N',
    unitOf: (input) => specOf(input).unit,
    operatorsOf: ({ spec }) => idsOf(spec),
    kernels: ['math'],
    input: shiftInput,
    output: shiftOutput,
    limits: { workAnonymousMax: 5_000, workMax: 500_000 },
    work: ({ stepCount }) => WORK + stepCount,
    refuse: (input) => {
      refuseAmplitude(input)
      refuseZero(specOf(input))
    },
    run: {
      kind: 'whole',
      solve: (input, progress) => {
        const output = shiftOf(input, specOf(input))
        progress({ step: 1, steps: 1 })
        return { output, evidence: null }
      },
    },
    check: (input, { output }) => judgeShift(input, output, specOf(input)),
    value: ({ projected }) => projected,
    plots: shiftPlots,
    aided: shiftWith,
    readsRegistry: () => true,
    completed: (input, moment) => {
      const { tick, ...rest } = filledIn(input, input.baseTick, moment)
      return { ...input, ...rest, baseTick: tick }
    },
  })
}

/** A computation at the ticks to come. */
export const shift = shiftWith(withoutAid)
