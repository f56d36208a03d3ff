import { assert } from '#core/assert.ts'
import { recent, recentByWeight } from '#core/recent.ts'
import type { Reader } from '#domain/credentials/standing.ts'
import type { ZoneTable } from '#numerics/contracts/cron/zone.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { type ContractRow, type ContractVersionRow, numberedKey } from '#store/rows/contract.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ContractHub } from './hub.ts'

/**
 * Versions that are kept compiled, by what they say: characters of their definitions, each of which takes 9 to 25 bytes
 * of memory when it is compiled.
 */
const COMPILED_CHARS_MAX = 6 * 1_048_576
/** Versions that are known to be among them, and contracts whose machine is known. */
const NAMED_MAX = 65_536

/** A version of a contract, with the tables that took the place of those that it pins. */
type VersionPlace = Pick<ContractRow, 'id' | 'version_no' | 'zones'>

/** Where contracts are kept: rows in the store alone, their versions also compiled. */
export interface ContractStore {
  /** A durable row, at once. */
  peek(id: string): ContractRow | undefined
  /** The machine that a durable contract is of, by its slug: a contract stays with its machine. */
  slugOf(id: string): string | undefined
  /** A version, which there is. */
  version(id: string, no: number): ContractVersionRow
  /** A durable version, compiled. Contracts that say the same share it. */
  ready(of: VersionPlace): ReadyContract
  /** The same of a version that is written in the very transaction, or was before. */
  readyIn(tx: Transaction, of: VersionPlace): ReadyContract
  /** Keeps a version that is written in the transaction as it was compiled for that. */
  keep(tx: Transaction, of: Pick<ContractRow, 'id' | 'version_no'>, made: ReadyContract): void
  /** The table of a zone by its digest, which there is. */
  zone(digest: string): ZoneTable
  /** The number of one contract more, which is how many there were; a plan that runs twice leaves one out. */
  nextNumber(): number
  /**
   * Puts a contract down, with all its indexes: what is due, what it watches, its machine's list and the order of age.
   * Its version stands in the transaction already. Who waits for it is woken once it is durable.
   *
   * @param before the row as it stands in the transaction; undefined for a new one.
   */
  put(tx: Transaction, before: ContractRow | undefined, after: ContractRow): void
}

/** Whether events of chains reach a contract: one that does not run, or is over, watches nothing. */
export const isWatching = ({ status, done }: ContractRow): boolean => status === 'live' && !done

/** The events that a definition goes by, of triggers and windows: `contractWatch` keys without the contract's id. */
export const watchedEvents = (
  slug: string,
  { transitions, windows }: Pick<Definition, 'transitions' | 'windows'>,
): ReadonlySet<string> => {
  const places = transitions.flatMap(({ trigger }) =>
    trigger.kind === 'event' ? [keyOf(trigger.from ?? slug, trigger.event)] : [],
  )
  return new Set([...places, ...Object.values(windows).map(({ event }) => keyOf(slug, event))])
}

const watchKeys = (tx: Transaction, row: ContractRow | undefined): ReadonlySet<string> => {
  if (row === undefined || !isWatching(row)) return new Set()
  const version = tx.get('contractVersion', numberedKey(row.id, row.version_no))
  assert(version !== undefined, 'the version of a contract stands before it')
  const events = watchedEvents(row.slug, version.definition as unknown as Definition)
  return new Set([...events].map((it) => keyOf(it, row.id)))
}

const dueKey = (row: ContractRow | undefined): string | undefined =>
  row === undefined || row.next === null ? undefined : keyOf(seqKey(row.next), row.id)

/** Puts a contract down with its indexes, {@link ContractStore.put}. */
const putContract = (tx: Transaction, before: ContractRow | undefined, after: ContractRow): void => {
  tx.put('contract', after.id, after)
  if (before === undefined) {
    tx.put('contractOf', keyOf(after.slug, after.id), after.id)
    tx.put('contractByNumber', seqKey(after.number), after.id)
  }
  const [wasDue, isDue] = [dueKey(before), dueKey(after)]
  if (wasDue !== isDue) {
    if (wasDue !== undefined) tx.del('contractDue', wasDue)
    if (isDue !== undefined) tx.put('contractDue', isDue, after.id)
  }
  const same = before?.version_no === after.version_no && isWatching(before) === isWatching(after)
  if (same) return
  const [was, is] = [watchKeys(tx, before), watchKeys(tx, after)]
  for (const key of was) if (!is.has(key)) tx.del('contractWatch', key)
  for (const key of is) if (!was.has(key)) tx.put('contractWatch', key, after.id)
}

const versionIn = (reader: Reader, id: string, no: number): ContractVersionRow => {
  const row = reader.get('contractVersion', numberedKey(id, no))
  assert(row !== undefined, 'a contract has its versions')
  return row
}

const zoneIn = (reader: Reader, digest: string): ZoneTable => {
  const row = reader.get('contractZone', digest)
  assert(row !== undefined, 'the zones of a version are kept')
  return row.table as unknown as ZoneTable
}

const compile = (reader: Reader, { definition, version, zones }: ContractVersionRow): ReadyContract =>
  readyContract({
    ...{ definition: definition as unknown as Definition, version },
    zones: Object.fromEntries(Object.entries(zones).map(([it, digest]) => [it, zoneIn(reader, digest)])),
  })

/** What a version says, in short: those of one name are compiled to the same. */
const nameOf = ({ version, zones }: ContractVersionRow): string => [version, ...Object.values(zones)].join(' ')

const charsOf = ({ definition }: ReadyContract): number => JSON.stringify(definition).length

/** The contracts of one node. */
export const openContractStore = async (store: Store, hub: ContractHub): Promise<ContractStore> => {
  const compiled = recentByWeight<string, ReadyContract>(COMPILED_CHARS_MAX, charsOf)
  const named = recent<string, string>(NAMED_MAX)
  const slugs = recent<string, string>(NAMED_MAX)
  let number = 0
  for await (const [, id] of store.range('contractByNumber', { reverse: true, limit: 1 })) {
    number = (store.peek('contract', id)?.number ?? -1) + 1
  }

  const durable: Reader = { get: store.peek }
  const ready = (
    reader: Reader,
    { id, version_no, zones }: VersionPlace,
    whenDurable: (work: () => void) => void,
  ): ReadyContract => {
    const key = numberedKey(id, version_no)
    const place = zones === undefined ? key : [key, ...Object.entries(zones).flat()].join(' ')
    const known = compiled.get(named.get(place) ?? '')
    if (known !== undefined) return known
    const version = versionIn(reader, id, version_no)
    const row = { ...version, zones: { ...version.zones, ...zones } }
    const name = nameOf(row)
    const same = compiled.get(name)
    const made = same ?? compile(reader, row)
    if (same === undefined) compiled.set(name, made)
    whenDurable(() => named.set(place, name))
    return made
  }

  return {
    peek: (id) => store.peek('contract', id),
    version: (id, no) => versionIn(durable, id, no),
    zone: (digest) => zoneIn(durable, digest),
    slugOf: (id) => {
      const known = slugs.get(id) ?? store.peek('contract', id)?.slug
      if (known !== undefined) slugs.set(id, known)
      return known
    },
    ready: (of) => ready(durable, of, (work) => work()),
    // What a transaction wrote may come to nothing, and its number be given again.
    readyIn: (tx, of) => ready(tx, of, tx.onDurable),
    keep: (tx, { id, version_no }, made) => {
      const name = nameOf(versionIn(tx, id, version_no))
      tx.onDurable(() => {
        named.set(numberedKey(id, version_no), name)
        if (compiled.get(name) === undefined) compiled.set(name, made)
      })
    },
    nextNumber: () => number++,
    put: (tx, before, after) => {
      putContract(tx, before, after)
      tx.onDurable(() => {
        slugs.set(after.id, after.slug)
        hub.wake(after.id)
      })
    },
  }
}
