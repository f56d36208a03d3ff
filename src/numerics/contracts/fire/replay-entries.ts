import type { Json } from '#core/canonical.ts'
import { genesisTickOf } from '#core/contract/attest.ts'
import type { ContractExport, ExportedEvent } from '#core/contract/export.ts'
import { exportedContract } from '#core/contract/export.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { digest, purposes } from '#core/digest.ts'
import type { Entry } from '#core/machine.ts'
import { dataOf } from './data.ts'
import type { ReadyContract } from './ready.ts'
import { agree, differs, type ReplayPlace } from './replay-place.ts'
import { fedWindows } from './windows.ts'

type Decided = Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>
type Body = Readonly<Record<string, Json | undefined>>

/** What a replay looks up in an export. */
export interface ReplayIndex {
  readonly file: ContractExport
  readonly contract: string
  /** Entries of the machine's own chain by their numbers; undefined where the export has no chain. */
  readonly entries: ReadonlyMap<number, Entry> | undefined
  /** Mesh tick of the node's genesis, as the checkpoint names it. */
  readonly genesisTick: number | undefined
  readonly events: ReadonlyMap<string, ExportedEvent>
}

const eventKey = (slug: string, seq: number): string => `${slug} ${seq}`

/** Prepares an export for looking up. */
export const indexOf = (file: ContractExport): ReplayIndex => {
  const { chain, events } = file
  return {
    file,
    contract: exportedContract(file),
    entries: chain === null ? undefined : new Map(chain.entries.map((it) => [it.seq, it])),
    genesisTick: genesisTickOf(chain?.proof.checkpoint ?? ''),
    events: new Map(events.map((it) => [eventKey(it.slug, it.seq), it])),
  }
}

const entryOf = (index: ReplayIndex, no: number, of: { seq: number; type: string }): Entry | undefined => {
  const { entries } = index
  if (entries === undefined) return undefined
  const entry = entries.get(of.seq)
  if (entry === undefined) return differs(no, 'seq', { recorded: of.seq, found: null })
  agree(no, 'entry.type', of.type, entry.type)
  return entry
}

const agreeBody = (no: number, entry: Entry, said: Body): void => {
  const body = entry.body as Body
  for (const [name, value] of Object.entries(said)) agree(no, `entry.${name}`, value, body[name])
}

/** Holds a decided row against its entry: everything that an entry says openly. @returns whether there was one */
export const agreeEntry = (index: ReplayIndex, row: Decided): boolean => {
  const { no, seq, event } = row
  if (seq === null) {
    if (row.outcome === 'fired') differs(no, 'seq', { recorded: null, found: 'a fire has an entry' })
    return false
  }
  const entry = entryOf(index, no, { seq, type: 'contract_fire' })
  if (entry === undefined) return false
  agree(no, 'tick', row.tick, entry.tick)
  agreeBody(no, entry, {
    ...{ contract: index.contract, version: row.version, fire: row.fire, cause: row.cause as Json },
    ...{ outcome: row.outcome, from: row.from, to: row.to, transition: row.steps[0] ?? null, steps: row.steps },
    context: { before: row.before, after: row.after },
    data: event === null ? null : digest(purposes.eventData, event.data as Json),
    readings: row.readings.map(({ oracle, tick, source, basis }) => ({ oracle, tick, source, basis })),
    computations: row.computations.map(({ bound: _, ...it }) => it),
    ...{ outbox: row.outbox, attempt: row.attempt, decided: row.mesh_tick },
  })
  return true
}

/** Holds a row `changed` that names its entry against that. @returns whether it does, and there was one */
export const agreeChange = (index: ReplayIndex, row: Extract<FireRow, { outcome: 'changed' }>): boolean => {
  const { no, what, version_no, details } = row
  const { seq } = details as { readonly seq?: unknown }
  if (typeof seq !== 'number') return false
  const type = what === 'created' ? 'contract_created' : 'contract_changed'
  const entry = entryOf(index, no, { seq, type })
  if (entry === undefined) return false
  agreeBody(no, entry, { contract: index.contract, what, version_no, row: no })
  return true
}

/** Holds an event of the machine's own chain against its entry. */
const agreeEvent = (
  index: ReplayIndex,
  no: number,
  it: Omit<ExportedEvent, 'at'> & { readonly at: number | null },
): void => {
  if (it.slug !== index.file.slug) return
  const entry = entryOf(index, no, { seq: it.seq, type: 'event' })
  if (entry === undefined) return
  agreeBody(no, entry, { event: it.name, data_digest: digest(purposes.eventData, it.data as Json) })
  const { genesisTick } = index
  if (genesisTick !== undefined && it.at !== null) agree(no, 'entry.tick', it.at - genesisTick, entry.tick)
}

/** Holds what a row was decided on against its cause, and an event of the machine's own chain against its entry. */
export const agreeCause = (index: ReplayIndex, { no, cause, event, at, asked }: Decided): void => {
  if ('slug' in cause) {
    agree(no, 'asked', asked, null)
    if (event === null) return differs(no, 'event', { recorded: null, found: 'an entry is an event' })
    return agreeEvent(index, no, { ...cause, ...event, at })
  }
  agree(no, 'at', at, null)
  if (!('trigger' in cause)) return
  agree(no, 'event', event, null)
  agree(no, 'asked', asked, null)
}

/** Events of a chain that no export may leave out: windows are over them. */
const missingIn = (index: ReplayIndex, ready: ReadyContract, seq: number): boolean => {
  const entry = index.entries?.get(seq)
  if (entry?.type !== 'event') return false
  const { event, data_digest } = entry.body as Body
  const isOver = Object.values(ready.definition.windows).some((it) => it.event === event)
  return isOver && data_digest !== undefined && ready.watches.some((it) => it.event === event && it.from === null)
}

/** Feeds windows by what they heard before a row, chain by chain, in the order of the entries' ticks. */
export const feed = (
  index: ReplayIndex,
  place: ReplayPlace,
  of: {
    ready: ReadyContract
    row: Pick<FireRow, 'no'> & Partial<Pick<Decided, 'cause' | 'at'>> & Pick<Decided, 'heard'>
  },
): number => {
  const { ready, row } = of
  const { cause = { key: '' }, at = null } = row
  const { windows: rules } = ready.definition
  const due: ExportedEvent[] = []
  for (const [slug, last] of Object.entries(row.heard)) {
    const isOwn = 'slug' in cause && cause.slug === slug && at !== null
    const until = isOwn ? last - 1 : last
    // What was written before the contract's first row was never heard.
    const from = place.fed.get(slug) ?? until
    for (let seq = from + 1; seq <= until; seq += 1) {
      const event = index.events.get(eventKey(slug, seq))
      if (event !== undefined) due.push(event)
      else if (slug === index.file.slug && missingIn(index, ready, seq))
        differs(row.no, 'events', { recorded: null, found: { slug, seq } })
    }
    place.fed = new Map(place.fed).set(slug, last)
  }
  due.sort((a, b) => a.at - b.at || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.seq - b.seq))
  let { windows } = place.standing
  for (const it of due) {
    agreeEvent(index, row.no, it)
    const from = it.slug === index.file.slug ? null : it.slug
    const { event } = dataOf(ready, place.standing.state, {
      kind: 'event',
      name: it.name,
      from,
      data: it.data,
      at: it.at,
    })
    if (event !== undefined) windows = fedWindows(rules, windows, { ...event, tick: it.at })
  }
  place.standing = { ...place.standing, windows }
  return due.length
}
