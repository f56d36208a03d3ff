import type { Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'
import type { ContractFinding as Finding } from '#numerics/contracts/checker/finding.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Happening } from '#numerics/contracts/fire/simulation.ts'

/** Something that is to happen in a simulation, as it is typed. */
export interface TypedHappening {
  /** Ticks from the beginning. */
  readonly after: string
  /** `event NAME`, `reading ORACLE`, or `now`: asked for by hand. */
  readonly what: string
  /** JSON: data of an event, value of a reading. */
  readonly data: string
}

/** Rows of the table. */
export const HAPPENINGS_MAX = 50

/** What may happen to a contract. */
export const choicesOf = ({ events, oracles }: Definition): readonly string[] => [
  ...Object.keys(events).map((it) => `event ${it}`),
  ...Object.keys(oracles).map((it) => `reading ${it}`),
  'now',
]

/** A value that fits a member, to begin with. */
const sampleOf = (member: { readonly type: string; readonly of?: readonly string[]; readonly min?: number }): Json => {
  switch (member.type) {
    case 'boolean':
      return true
    case 'text':
      return ''
    case 'choice':
      return member.of?.[0] ?? ''
    default:
      return Math.max(1, member.min ?? 1)
  }
}

/** What stands in the data of a row when it is chosen. */
export const sampleData = ({ events, oracles }: Definition, what: string): string => {
  const [kind, name = ''] = what.split(' ')
  if (kind === 'reading') return JSON.stringify(sampleOf(oracles[name] ?? { type: 'number' }))
  if (kind !== 'event') return ''
  const data = Object.entries(events[name]?.data ?? {}).map(([member, it]) => [member, sampleOf(it)] as const)
  return JSON.stringify(Object.fromEntries(data))
}

/** Why a row says nothing that could happen, or what it says. */
export const readHappening = ({ after, what, data }: TypedHappening): Happening | string => {
  const tick = Number(after)
  if (after.trim() === '' || !Number.isSafeInteger(tick) || tick < 0) return 'A whole number of ticks is wanted.'
  const [kind, name = ''] = what.split(' ')
  if (kind === 'now') return { tick, kind: 'now' }
  let value: Json
  try {
    value = JSON.parse(data) as Json
  } catch {
    return 'This is no JSON.'
  }
  if (kind === 'reading') {
    if (typeof value === 'object' && value !== null) return 'A reading is one value.'
    return { tick, kind: 'reading', oracle: name, value: value as Scalar }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Data of an event are an object.'
  return { tick, kind: 'event', name, from: null, data: value as Readonly<Record<string, Json>> }
}

/** The way that a finding tells, as rows; what the clock does comes by itself. */
export const rowsOfTrace = ({ trace = [] }: Finding): readonly TypedHappening[] =>
  trace
    .flatMap(({ tick, event, readings = {} }) => [
      ...Object.entries(readings).map(([name, value]) => ({
        ...{ after: String(tick), what: `reading ${name}`, data: JSON.stringify(value) },
      })),
      ...(event === undefined
        ? []
        : [{ after: String(tick), what: `event ${event.name}`, data: JSON.stringify(event.data) }]),
    ])
    .slice(0, HAPPENINGS_MAX)
