import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { ContractContext } from './context.ts'
import { createAhead } from './reads.ts'
import { summaryOf } from './shown.ts'
import type { NextFires, PublicAudit, PublicContract, PublicPage, Subscribers } from './views.ts'

/** Contracts that one page looks at before it gives up finding more public ones. */
const SCAN_MAX = 2_000
/** Fires that everyone is told ahead. */
const PUBLIC_FIRES = 10

/** Which contracts of public machines are wanted. */
export interface PublicQuery {
  readonly limit: number
  /** Where a page begins: below this number. */
  readonly after?: number | undefined
  /** Part of a name. */
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly slug?: string | undefined
}

const isWanted = ({ name, status, slug }: ContractRow, wanted: PublicQuery): boolean =>
  (wanted.q === undefined || name.toLowerCase().includes(wanted.q.toLowerCase())) &&
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.slug === undefined || wanted.slug === slug)

/** The entry of a row in the machine's chain. */
const seqOf = (row: FireRow): number | null => {
  if ('seq' in row) return row.seq
  return row.outcome === 'changed' ? ((row.details as { readonly seq?: number }).seq ?? null) : null
}

/** What everyone may know of the contracts of public machines. */
export const createPublic = (context: ContractContext) => {
  const { store, contracts, hub } = context
  const ahead = createAhead(context)
  const isOpen = (row: ContractRow): boolean => store.peek('machine', row.slug)?.is_public === true
  const find = (id: string): ContractRow => {
    const row = contracts.peek(id)
    if (row === undefined || !isOpen(row)) throw new Fault('NOT_FOUND', 'No public machine has such a contract.')
    return row
  }
  /** An entry as the chain shows it to everyone. */
  const entryOf = (slug: string, seq: number | null): Json | null => {
    const row = seq === null ? undefined : store.peek('machineEntry', keyOf(slug, seqKey(seq)))
    if (row === undefined) return null
    const { sealed: _, ...open } = row.entry.body as Readonly<Record<string, Json>>
    return { type: row.entry.type, ...open }
  }
  const rowOf = (slug: string, row: FireRow): PublicAudit['rows'][number] => {
    const seq = seqOf(row)
    return { no: row.no, tick: row.tick, outcome: row.outcome, seq, entry: entryOf(slug, seq) }
  }

  return {
    /** Newest first. A page may have fewer rows than asked for, and more may come after it all the same. */
    publicList: async (wanted: PublicQuery): Promise<PublicPage> => {
      const found: PublicPage['contracts'][number][] = []
      let [looked, last] = [0, 0]
      const bounds = wanted.after === undefined ? {} : { lt: seqKey(wanted.after) }
      for await (const [, id] of store.range('contractByNumber', { ...bounds, reverse: true, limit: SCAN_MAX })) {
        const row = contracts.peek(id)
        if (row === undefined) continue
        looked += 1
        last = row.number
        if (isWanted(row, wanted) && isOpen(row)) found.push(summaryOf(row))
        if (found.length === wanted.limit) break
      }
      const isOver = found.length < wanted.limit && looked < SCAN_MAX
      return { contracts: found, next_after: isOver || last === 0 ? null : last }
    },

    /** @throws Fault NOT_FOUND, also for one of a private machine */
    publicRead: (id: string): PublicContract => {
      const row = find(id)
      const { definition } = contracts.version(row.id, row.version_no)
      const { context: values, entered } = row.standing
      return { ...summaryOf(row), context: values, entered_tick: entered.tick, definition }
    },

    /** Its rows, newest first, as far as the chain says them to everyone. @throws Fault NOT_FOUND */
    publicAudit: async (
      id: string,
      { limit, after }: { readonly limit: number; readonly after?: number | undefined },
    ): Promise<PublicAudit> => {
      const { slug } = find(id)
      const rows: PublicAudit['rows'][number][] = []
      const bounds = { ...under(id), ...(after === undefined ? {} : { lt: numberedKey(id, after) }) }
      for await (const [, row] of store.range('contractFire', { ...bounds, reverse: true, limit })) {
        rows.push(rowOf(slug, row))
      }
      const last = rows.at(-1)?.no ?? 0
      return { id, slug, rows, next_after: rows.length < limit || last === 0 ? null : last }
    },

    /** The next ten. @throws Fault NOT_FOUND */
    publicNextFires: (id: string): NextFires => ahead(find(id), PUBLIC_FIRES),

    /** Streams that are open over it now. @throws Fault NOT_FOUND */
    subscribers: (id: string): Subscribers => ({ id: find(id).id, subscribers: hub.readers(id) }),
  }
}
