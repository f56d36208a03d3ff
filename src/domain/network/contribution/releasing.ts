import { assert } from '#core/assert.ts'
import { assertOwner, type Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { countOf, type TokenList } from '#core/token/list.ts'
import type { SignedOp } from '#core/token/op.ts'
import type { ReleaseView } from '#domain/network/views/contribution.ts'
import { type BondRow, bondEnds, endOf, type OwnBondRow } from '#store/bonds.ts'
import type { Transaction } from '#store/transaction.ts'
import { OWNER_ONLY } from './bonding.ts'
import { applyOp, isApplied, listOfOp, lockedList, signerOf, signPartOp } from './locks.ts'
import type { ContributionPorts, LoadChange } from './types.ts'

/** How a bond ends: offers stop at the word, locks when nothing under it can be disputed any more. */

const OWN = 'own'

type Reads = Pick<Transaction, 'get'>

/** The bond of this node that stands, and its rows. */
export interface BondStanding {
  readonly name: string
  readonly own: OwnBondRow
  readonly row: BondRow
}

/** The bond whose locks stand and that did not fall, released or not; undefined where there is none. */
export const standingBond = ({ get }: Reads): BondStanding | undefined => {
  const name = get('contribution', OWN)?.bond
  if (name == null) return undefined
  const [own, row] = [get('ownBond', name), get('bond', name)]
  return own?.state === 'held' && row?.fallen === null ? { name, own, row } : undefined
}

/** Makes works and disputes known to the bond that answers for them. Its end moves later, never earlier. */
export const loadBond = (tx: Transaction, bond: string, { result = 0, disputeUntil = 0 }: LoadChange): void => {
  const row = tx.get('bond', bond)
  if (row === undefined) return
  const { last = 0, until = 0 } = tx.get('bondLoad', bond) ?? {}
  const load = { last: Math.max(last, result), until: Math.max(until, disputeUntil) }
  tx.put('bondLoad', bond, load)
  // Locks that may have ended are not tied again: what comes now came too late.
  if (row.released === null || row.released.unlocks_at <= tx.meshTick) return
  const unlocks_at = endOf(row, load, row.released.at)
  if (unlocks_at > row.released.unlocks_at) tx.put('bond', bond, { ...row, released: { ...row.released, unlocks_at } })
}

/** Releases bonds, and lets go what their time is over for. */
export const createReleasing = (ports: ContributionPorts) => {
  const { store, recorder } = ports

  /** The unlock of a part, signed anew where the one that is kept came too late. */
  const unlockPart = async (name: string, at: number, list: TokenList): Promise<void> => {
    const own = store.peek('ownBond', name)
    assert(own !== undefined, 'a bond that ends has its row')
    const lock = own.locks[at] as SignedOp
    const fresh = async (): Promise<SignedOp> => {
      const { meshTick } = store.now()
      const part = { op: 'unlock', home: lock.op.home, list, meshTick } as const
      const op = await signPartOp(signerOf(ports, own.zid), name, part)
      await store.commit((tx) => {
        const unlocks = own.locks.map((_, i) => (i === at ? op : (tx.get('ownBond', name)?.unlocks?.[i] ?? null)))
        tx.put('ownBond', name, { ...own, unlocks })
      })
      return op
    }
    const kept = own.unlocks?.[at] ?? null
    const op =
      kept !== null && (kept.op.valid_to >= store.now().meshTick || (await isApplied(store, kept)))
        ? kept
        : await fresh()
    try {
      await applyOp(ports, op, list)
    } catch (cause) {
      // The owner let its envelopes go itself, by an op of its own.
      if (!(cause instanceof Fault && cause.code === 'SUPERSEDED')) throw cause
    }
  }

  return {
    release: async (caller: Caller): Promise<ReleaseView> => {
      assertOwner(caller, OWNER_ONLY)
      return store.commit((tx) => {
        const bond = standingBond(tx)
        if (bond === undefined) throw new Fault('NOT_BONDED')
        const { name, row } = bond
        const { meshTick } = tx
        const released = row.released?.at ?? meshTick
        const unlocks_at = endOf(row, tx.get('bondLoad', name), released)
        if (unlocks_at !== row.released?.told) {
          const payload = { bond: name, unlocks_at }
          recorder.in(tx, 'bond.release', payload as unknown as Json)
        }
        const before = tx.get('contribution', OWN)
        if (before !== undefined && before.mode !== 'idle') {
          tx.put('contribution', OWN, { ...before, mode: 'idle', since: meshTick })
        }
        return { bond: name, released, unlocks_at, mesh_tick: meshTick }
      })
    },
    /** Lets the envelopes of a released bond go, once its time is over. @returns whether it did */
    end: async (): Promise<boolean> => {
      const bond = standingBond({ get: store.peek })
      if (bond === undefined) return false
      const { name, own } = bond
      if (!bondEnds({ get: store.peek }, name, store.now().meshTick)) return false
      for (const [at, lock] of own.locks.entries()) {
        const list = lockedList(await listOfOp(store, lock))
        assert(countOf(list) === lock.op.count, 'the list of a lock is that of its end')
        await unlockPart(name, at, list)
      }
      await store.commit((tx) => {
        const now = tx.get('ownBond', name)
        const here = tx.get('contribution', OWN)
        if (now?.state !== 'held' || here?.bond !== name) return
        tx.put('ownBond', name, { ...now, state: 'over' })
        tx.put('contribution', OWN, { ...here, bond: null })
      })
      return true
    },
  }
}
