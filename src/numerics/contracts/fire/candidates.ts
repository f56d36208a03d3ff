import type { Scalar } from '#core/contract/standing.ts'
import { NoValue, type ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { refuse } from './effects.ts'
import { problemOf, seenBy } from './programs.ts'
import type { ReadyContract, ReadyTransition } from './ready.ts'
import type { Stimulus } from './stimulus.ts'

/** A transition whose guard is false, and what that read. */
export interface SeenGuard {
  readonly transition: string
  readonly guard: string
  readonly values: Readonly<Record<string, Scalar>>
}

const isFor = (of: Stimulus['of'], it: ReadyTransition): boolean => {
  switch (of.kind) {
    case 'trigger':
      return it.trigger === of.trigger
    case 'event':
      return it.event?.name === of.name && it.event.from === of.from
    case 'transition':
      return it.id === of.id && (of.event === undefined || of.event.name === it.event?.name)
    default:
      return it.kind !== 'event'
  }
}

/** The transitions of a state that a stimulus asks for, in the order in which they are looked at. */
export const candidatesOf = (ready: ReadyContract, state: string, of: Stimulus['of']): readonly ReadyTransition[] =>
  ready.states.get(state)?.transitions.filter((it) => isFor(of, it)) ?? []

/**
 * The first candidate whose guard is true; else what the guards read. A guard without a value ends the fire, even where
 * a later one would be true.
 *
 * @throws RefusedFire
 */
export const chosen = (
  candidates: readonly ReadyTransition[],
  valuesFor: (it: ReadyTransition) => ReadValues,
): { readonly transition: ReadyTransition | undefined; readonly seen: readonly SeenGuard[] } => {
  for (const transition of candidates) {
    const { guard } = transition
    if (guard === undefined) return { transition, seen: [] }
    const value = guard.run(valuesFor(transition))
    if (value instanceof NoValue) return refuse(problemOf(guard, value, 'guard'))
    if (value === true) return { transition, seen: [] }
  }
  const seen = candidates.flatMap((it): SeenGuard[] => {
    const { id: transition, guard } = it
    return guard === undefined ? [] : [{ transition, guard: guard.text, values: seenBy(guard, valuesFor(it)) }]
  })
  return { transition: undefined, seen }
}
