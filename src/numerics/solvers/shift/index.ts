import { filledIn, overSpec } from '#numerics/methods/spec.ts'
import { type Aid, type Solver, solver, withoutAid } from '#numerics/runtime/solver.ts'
import { checkShift } from './check/check.ts'
import { shiftGuide } from './guide.ts'
import { shiftPlots } from './plots.ts'
import { shiftOf } from './run/shift.ts'
import { type ShiftInput, shiftInput, shiftOutput } from './schema.ts'

/** Work of the operators and of the sines at 50 digits. */
const WORK = 10

const shiftWith = (aid: Aid): Solver<typeof shiftInput, typeof shiftOutput, null, never> => {
  const { specOf, members, whole } = overSpec<ShiftInput>(aid.registry)
  return solver<typeof shiftInput, typeof shiftOutput, null, never>({
    ...members,
    name: 'shift',
    keyless: true,
    revision: 1,
    title: 'Projection over ticks',
    summary: 'A computation as it will be stamped over 1 to 64 ticks ahead, or time turned by the gauge of KO42.',
    method: 'operators once, instants and phases by integer nanoseconds',
    input: shiftInput,
    output: shiftOutput,
    guide: shiftGuide,
    work: ({ stepCount }) => WORK + stepCount,
    run: whole(shiftOf),
    check: (input, { output }) => checkShift(input, output, specOf(input)),
    value: ({ projected }) => projected,
    plots: shiftPlots,
    aided: shiftWith,
    completed: (input, moment) => {
      const { tick, ...rest } = filledIn(input, input.baseTick, moment)
      return { ...input, ...rest, baseTick: tick }
    },
  })
}

/** A computation at the ticks to come. */
export const shift = shiftWith(withoutAid)
