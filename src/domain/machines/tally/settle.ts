import { assert } from '#core/assert.ts'
import { TOKEN_OWNER, type TokenRange, tallyWalk, tokenEntries } from '#core/token-ranges.ts'
import type { MachineContext } from '#domain/machines/context.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import { tokenDigits } from '#store/rows/machine-token.ts'
import type { TokenIssueRow } from '#store/rows/machine-token-range.ts'
import type { Transaction } from '#store/transaction.ts'
import { chainRows, openedOf, tokenOf } from './parts.ts'

interface Added {
  readonly issues: readonly (readonly [first: number, TokenIssueRow])[]
  readonly moves: readonly (TokenRange & { readonly tick: number; readonly open: boolean })[]
  readonly size: number
}

const isOpen = ({ entry }: MachineEntryRow): boolean =>
  (entry.body as { readonly amount?: number }).amount !== undefined

/** Adds a token up from its chain. */
const addUp = async (context: MachineContext, machine: MachineRow): Promise<Added> => {
  const walk = tallyWalk()
  const issues: (readonly [number, TokenIssueRow])[] = []
  const places = new Map<number, { readonly tick: number; readonly open: boolean }>()
  let [issued, size] = [0, 0]
  for await (const row of chainRows(context, machine.slug, 0)) {
    const { seq, tick, type } = row.entry
    size = seq + 1
    assert(walk.step(row.entry, openedOf(context, machine, row)), 'a chain of this node adds up')
    if (type === tokenEntries.transfer) places.set(seq, { tick, open: isOpen(row) })
    if (type !== tokenEntries.genesis && type !== tokenEntries.mint) continue
    const { issued: last } = walk.result()
    if (last > issued) issues.push([issued + 1, { last, seq, tick }])
    issued = last
  }
  const { ranges, withheld } = walk.result()
  assert(withheld === 0, 'the data keys of a machine are there')
  const moves = ranges.flatMap((range) => {
    const place = places.get(range.seq)
    return range.owner === TOKEN_OWNER || place === undefined ? [] : [{ ...range, ...place }]
  })
  return { issues, moves, size }
}

const put = (tx: Transaction, digits: string, { issues, moves }: Added): void => {
  for (const [first, row] of issues) tx.put('tokenIssue', keyOf(digits, seqKey(first)), row)
  for (const { first, last, owner, seq, tick, open } of moves) {
    tx.put('tokenRange', keyOf(digits, seqKey(first)), { last, owner, seq, tick, open })
    tx.put('tokenRangeOf', keyOf(digits, owner, seqKey(first)), last)
  }
  const [issued, moved] = [issues.at(-1)?.[1].last ?? 0, moves.at(-1)?.last ?? 0]
  const sealed = moves.filter(({ open }) => !open).length
  tx.put('tokenStanding', digits, { issued, moved, sealed, description: null, avatar: null })
}

/**
 * Gives a token of before that units were numbered its rows, when it is asked about for the first time. Others have
 * them from their genesis on.
 */
export const createSettle = (context: MachineContext) => {
  const { store } = context
  return async (slug: string): Promise<void> => {
    const machine = store.peek('machine', slug)
    if (machine === undefined) return
    const digits = tokenDigits(machine.id_hash)
    const standing = (): boolean => store.peek('tokenStanding', digits) !== undefined
    while (tokenOf({ get: store.peek }, machine) !== undefined && !standing()) {
      const added = await addUp(context, machine)
      await store.commit((tx) => {
        // What came in meanwhile is not in it: then it is added up again.
        if (tx.get('machineHead', slug)?.size === added.size) put(tx, digits, added)
      })
    }
  }
}
