import type { Json } from '#core/canonical.ts'
import type { FireProblem } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { pointer } from '#core/input.ts'
import { shortened } from '#core/near-names.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import { candidatesOf } from './candidates.ts'
import type { ReadyContract } from './ready.ts'
import type { Stimulus } from './stimulus.ts'

type Data = Readonly<Record<string, Json>>

/** Why data is none of an event: members that it does not declare, or lacks, or that do not fit. */
const misfitOf = ({ definition }: ReadyContract, name: string, data: Data): FireProblem | undefined => {
  const declared = Object.hasOwn(definition.events, name) ? (definition.events[name]?.data ?? {}) : {}
  const wrong = (member: string, why: string): FireProblem => {
    const shown = shortened(member)
    const message = `Member ${shown} of the data of ${name} ${why}.`
    return { reason: 'data', message, path: pointer(`/events/${name}/data`, shown) }
  }
  for (const member of Object.keys(data)) if (!Object.hasOwn(declared, member)) return wrong(member, 'is not declared')
  for (const [member, it] of Object.entries(declared)) {
    if (!Object.hasOwn(data, member)) {
      if (!it.optional) return wrong(member, 'is required')
      continue
    }
    const why = unfit(it, data[member])
    if (why !== undefined) return wrong(member, why)
  }
  return undefined
}

/** The event that a stimulus brings, once its data was found to fit; undefined where there is none to heed. */
export interface HeardEvent {
  readonly event?: { readonly name: string; readonly data: Readonly<Record<string, Scalar>> }
  readonly problem?: FireProblem
}

const fitted = (ready: ReadyContract, name: string, data: Data): HeardEvent => {
  const problem = misfitOf(ready, name, data)
  return problem === undefined ? { event: { name, data: data as Readonly<Record<string, Scalar>> } } : { problem }
}

/**
 * Looks at the data that a stimulus brings. An event that no trigger or window is over is none to the contract,
 * whatever its data; a transition asked for by name without an event has the empty data of its own.
 */
export const dataOf = (ready: ReadyContract, state: string, of: Stimulus['of']): HeardEvent => {
  if (of.kind === 'event') {
    const { name, from, data } = of
    const watched = ready.watches.some((it) => it.event === name && it.from === from)
    return watched ? fitted(ready, name, data) : {}
  }
  if (of.kind !== 'transition') return {}
  const [asked] = candidatesOf(ready, state, of)
  return asked?.event === undefined ? {} : fitted(ready, asked.event.name, of.event?.data ?? {})
}
