import type { Json } from '#core/canonical.ts'
import type { AttestedSource } from '#core/contract/attest.ts'
import type { FireReading, FireRow } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { type ContractRow, type ContractVersionRow, numberedKey } from '#store/rows/contract.ts'
import type { ContractContext } from './context.ts'
import type { ContractRequest } from './finding.ts'

/** Entries whose proofs go along with a history, those of its newest readings. */
const ATTESTED_ENTRIES_MAX = 2_000
/** Rows of a contract that is read which are looked at for the one that left a value. */
const LOOK_BACK_MAX = 256

/** An entry that a reading follows from, and what it opens. */
interface Found {
  readonly slug: string
  readonly seq: number
  readonly says: Readonly<Record<string, Json>>
}

type Reads = { readonly no: number; readonly it: FireReading; readonly member: string | undefined }

/** The readings of rows, newest first, and the member of each that reads a contract. */
const readingsOf = (rows: readonly FireRow[], versions: readonly ContractVersionRow[]): readonly Reads[] => {
  const definitions = new Map(versions.map(({ no, definition }) => [no, definition as unknown as Definition]))
  return rows.toReversed().flatMap((row) => {
    if (!('readings' in row)) return []
    return row.readings.map((it) => {
      const from = definitions.get(row.version_no)?.oracles[it.oracle]?.from
      return { no: row.no, it, member: from?.kind === 'contract' ? from.member : undefined }
    })
  })
}

const EVENT_SOURCE = /^machine:(?<slug>[^/]+)\/(?<seq>\d+)$/

/** Finds what readings follow from, and proves it. */
export const createSources = (context: ContractContext) => {
  const { store, contracts, machines } = context

  const eventFor = ({ source }: FireReading): Found | undefined => {
    const { slug = '', seq = '' } = EVENT_SOURCE.exec(source)?.groups ?? {}
    const row = store.peek('machineEntry', keyOf(slug, seqKey(Number(seq))))
    const carried = row === undefined ? undefined : eventOf(context, slug, row)
    return carried === undefined ? undefined : { slug, seq: Number(seq), says: carried.data }
  }

  /** When a row was written: a fire that computes was decided before. */
  const writtenTick = ({ tick }: FireRow): number => store.genesisMeshTick + tick

  /** Rows of a contract that were there at the end of a mesh tick. */
  const rowsBy = ({ id, rows }: ContractRow, tick: number): number => {
    let [low, high] = [0, rows]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = store.peek('contractFire', numberedKey(id, middle))
      if (row === undefined || writtenTick(row) <= tick) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The fire that left a contract with the value that was read; none where it was there from the beginning. */
  const fireFor = ({ it, member = '' }: Reads): Found | undefined => {
    const other = contracts.peek(it.source.slice('contract:'.length))
    if (other === undefined) return undefined
    const end = rowsBy(other, it.tick)
    for (let no = end - 1; no >= Math.max(0, end - LOOK_BACK_MAX); no -= 1) {
      const row = store.peek('contractFire', numberedKey(other.id, no))
      if (row === undefined) return undefined
      if (row.outcome === 'changed') {
        // Whoever moved it by hand said the values then, and no entry has their digest.
        if ((row.details as { readonly context?: unknown }).context !== undefined) return undefined
      } else if ('context' in row && row.seq !== null) {
        if (row.context[member] === it.value) return { slug: other.slug, seq: row.seq, says: row.context }
        // In the very tick it may have moved on after it was read.
        if (writtenTick(row) < it.tick) return undefined
      }
    }
    return undefined
  }

  const proved = async (caller: ContractRequest['caller'], { slug, seq }: Found) => {
    const machine = store.peek('machine', slug)
    try {
      const { entry, proof } = await machines.block({ caller, slug }, { seq })
      return machine && { genesis_hash: machine.genesis_hash, entry, proof }
    } catch (error) {
      // The owner may no longer read that machine: then the reading is this node's word.
      if (error instanceof Fault) return undefined
      throw error
    }
  }

  /**
   * The entries that readings of a history follow from, with their proofs, as far as its owner may see them.
   *
   * @returns also how many of them no checkpoint covers yet.
   */
  return async (
    caller: ContractRequest['caller'],
    rows: readonly FireRow[],
    versions: readonly ContractVersionRow[],
  ): Promise<{ readonly attested: readonly AttestedSource[]; readonly unsealed: number }> => {
    const found = new Map<string, Found & { readonly readings: { readonly no: number; readonly oracle: string }[] }>()
    for (const reads of readingsOf(rows, versions)) {
      const { no, it } = reads
      const source = it.source.startsWith('contract:') ? fireFor(reads) : eventFor(it)
      if (source === undefined) continue
      const key = keyOf(source.slug, seqKey(source.seq))
      const known = found.get(key)
      if (known !== undefined) known.readings.push({ no, oracle: it.oracle })
      else if (found.size < ATTESTED_ENTRIES_MAX) found.set(key, { ...source, readings: [{ no, oracle: it.oracle }] })
    }
    const attested: AttestedSource[] = []
    let unsealed = 0
    for (const { slug, seq, says, readings } of [...found.values()].toReversed()) {
      const evidence = await proved(caller, { slug, seq, says })
      if (evidence === undefined) continue
      const { proof } = evidence
      if (proof === null) unsealed += 1
      else attested.push({ slug, ...evidence, proof, says, readings })
    }
    return { attested, unsealed }
  }
}
