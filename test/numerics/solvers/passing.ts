import assert from 'node:assert/strict'
import type { Static, TObject } from 'typebox'
import { Fault } from '#core/fault.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'

/** The details of the refusal before work that this input meets, which must come. */
const detailsOf = (act: () => void, raw: object): Readonly<Record<string, unknown>> => {
  try {
    act()
  } catch (error) {
    assert(error instanceof Fault, String(error))
    return error.details
  }
  return assert.fail(`${JSON.stringify(raw).slice(0, 200)} was not refused`)
}

/**
 * Takes a refusal before work at its word: the members of this name in its details, put in the place of those asked
 * for, meet no refusal any more.
 *
 * @param within the member of the input that these stand in, if it is not the input itself.
 * @returns what was named, never nothing.
 */
export const passing = <I extends TObject, O extends TObject, E, S>(
  it: Solver<I, O, E, S>,
  raw: Readonly<Record<string, unknown>>,
  names: readonly string[],
  within?: string,
): Readonly<Record<string, unknown>> => {
  const inputOf = (given: object): Static<I> => resolveInput(it, given)
  const details = detailsOf(() => it.refuse(inputOf(raw)), raw)
  const named = Object.fromEntries(Object.entries(details).filter(([name]) => names.includes(name)))
  assert(Object.keys(named).length > 0, `${JSON.stringify(raw).slice(0, 200)}: nothing is named that would pass`)
  it.refuse(
    inputOf(
      within === undefined ? { ...raw, ...named } : { ...raw, [within]: { ...(raw[within] as object), ...named } },
    ),
  )
  return named
}
