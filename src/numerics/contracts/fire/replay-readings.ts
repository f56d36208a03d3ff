import type { Json } from '#core/canonical.ts'
import { type Attestations, type JudgedSource, readingKey } from '#core/contract/attest.ts'
import { contractDigest } from '#core/contract/cause.ts'
import type { FireReading, FireRow } from '#core/contract/fire-row.ts'
import { digest, purposes } from '#core/digest.ts'
import type { Oracle } from '#numerics/contracts/definition/schema.ts'
import { contextDigest } from './decide.ts'
import type { ReadyContract } from './ready.ts'
import { agree, differs } from './replay-place.ts'

type Decided = Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>

/** Readings by what stands for them. */
export interface ReadingCounts {
  /** They follow from an entry of their source's chain, whose proof was verified. */
  attested: number
  /** The node of the fire says so, and nothing else. */
  node: number
  withheld: number
}

/** A reading of a row, and what is said to attest it. */
interface Attested {
  readonly row: Decided
  readonly it: FireReading
  readonly source: JudgedSource
}

const memberOf = ({ says }: JudgedSource, name: string): Json | undefined =>
  Object.hasOwn(says, name) ? says[name] : undefined

/** The entry is the one that the row names, an event that says the value in the oracle's field. */
const agreeEvent = ({ row, it, source }: Attested, from: Extract<Oracle['from'], { kind: 'machine' }>): void => {
  const { no, mesh_tick } = row
  const at = `readings/${it.oracle}`
  const { entry, slug, tick, says } = source
  const { event, data_digest } = entry.body as Readonly<Record<string, Json>>
  agree(no, `${at}/source`, it.source, `machine:${slug}/${entry.seq}`)
  agree(no, `${at}/source`, from.slug, slug)
  agree(no, `${at}/entry.type`, 'event', entry.type)
  agree(no, `${at}/entry.event`, from.event, event)
  agree(no, `${at}/entry.data_digest`, data_digest, digest(purposes.eventData, says as Json))
  agree(no, `${at}/tick`, it.tick, tick)
  agree(no, `${at}/value`, it.value, memberOf(source, from.field))
  if (tick > mesh_tick) differs(no, `${at}/tick`, { recorded: mesh_tick, found: tick })
}

/** The entry is a fire of the contract that is read, and left the value in the oracle's member. */
const agreeLeft = ({ row, it, source }: Attested, from: Extract<Oracle['from'], { kind: 'contract' }>): void => {
  const { no, mesh_tick } = row
  const at = `readings/${it.oracle}`
  const { entry, id_hash, tick, says } = source
  const { contract, context } = entry.body as { readonly contract?: Json; readonly context?: { readonly after?: Json } }
  agree(no, `${at}/source`, it.source, `contract:${from.id}`)
  agree(no, `${at}/entry.type`, 'contract_fire', entry.type)
  agree(no, `${at}/entry.contract`, contract, contractDigest(id_hash, from.id))
  agree(no, `${at}/entry.context`, context?.after, contextDigest(says as Parameters<typeof contextDigest>[0]))
  agree(no, `${at}/value`, it.value, memberOf(source, from.member))
  agree(no, `${at}/tick`, it.tick, mesh_tick)
  if (tick > it.tick) differs(no, `${at}/tick`, { recorded: it.tick, found: tick })
}

/** Whether a reading is attested: its proof was verified, and the value follows from it. */
const isAttested = (ready: ReadyContract, of: Attested): boolean => {
  const { row, it, source } = of
  const at = `readings/${it.oracle}`
  if (source.outcome === 'failed') differs(row.no, `${at}/proof`, { recorded: it.source, found: source.why })
  const from = ready.definition.oracles[it.oracle]?.from
  if (from === undefined || from.kind === 'url')
    return differs(row.no, `${at}/source`, { recorded: it.source, found: `${source.slug}/${source.entry.seq}` })
  if (from.kind === 'machine') agreeEvent(of, from)
  else agreeLeft(of, from)
  return source.outcome === 'verified'
}

/** Counts the readings of a row by what stands for them. @returns whether one of them is withheld */
export const countReadings = (
  walk: { readonly readings: ReadingCounts; readonly options: { readonly attested?: Attestations } },
  ready: ReadyContract,
  row: Decided,
): boolean => {
  const { readings, options } = walk
  let withheld = false
  for (const it of row.readings) {
    if (!Object.hasOwn(it, 'value')) {
      withheld = true
      readings.withheld += 1
      continue
    }
    const source = options.attested?.get(readingKey(row.no, it.oracle))
    readings[source !== undefined && isAttested(ready, { row, it, source }) ? 'attested' : 'node'] += 1
  }
  return withheld
}
