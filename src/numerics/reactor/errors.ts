import { Fault } from '#core/fault.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'

/**
 * The errors of all steps with one more: they add up, since each stretch begins with what the one before it left.
 *
 * @throws Fault PRECISION_NOT_MET where the sum leaves the bound and the step was to be sealed.
 */
export const errorAfter = (
  sum: number,
  { step, errorPct, seal }: { readonly step: number; readonly errorPct: number; readonly seal: boolean },
): number => {
  const next = sum + errorPct
  if (!seal || (next >= 0 && next <= ERROR_PCT_MAX)) return next
  const sentence = `With step ${step} the errors since step 0 add up to ${next} %`
  const detail = `${sentence}, above ${ERROR_PCT_MAX} %; it was not sealed.`
  const measured = Number.isFinite(next) ? next : null
  throw new Fault('PRECISION_NOT_MET', detail, { measured, bound: ERROR_PCT_MAX, step, before: sum, last: errorPct })
}
