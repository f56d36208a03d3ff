import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { opDigest } from '#core/token/op.ts'
import { receiptOf } from '#core/token/receipt.ts'
import { type BondRow, bondRef, fallenRef } from '#store/bonds.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import { partOf } from './locks.ts'
import type { ContributionPorts, Fallen } from './types.ts'

const OWN = 'own'

/** What the fall of a bond by this node's own check comes to: as a home, it withholds. */
export const createWithholding = ({ store, moves, recorder }: ContributionPorts) => {
  /** The op whose receipt a part names; undefined where its home is not here, or never applied such a lock. */
  const lockOf = (name: string, part: BondRow['parts'][number]): string | undefined => {
    for (const log of [store.log, ...store.eras.map((it) => it.log)]) {
      const move = part.index < log.size ? store.peek('move', seqKey(log.base + part.index)) : undefined
      if (move?.op.op !== 'lock' || move.op.ref !== bondRef(name) || move.op.home !== part.home) continue
      const { op, weight, mesh_tick: meshTick } = move
      const receipt = receiptOf(op, { log: log.origin, index: part.index, weight, meshTick })
      if (partOf(receipt).receipt === part.receipt) return opDigest(op)
    }
    return undefined
  }

  /** Marks it, in the batch that takes its coins: it answers for nothing more, wherever its homes are. */
  const mark = (tx: Transaction, { bond, challenge, ruling }: Fallen): void => {
    const row = tx.get('bond', bond)
    if (row === undefined || row.fallen !== null) return
    tx.put('bond', bond, { ...row, fallen: { challenge, ruling, mesh_tick: tx.meshTick } })
    const [own, here] = [tx.get('ownBond', bond), tx.get('contribution', OWN)]
    if (own?.state !== 'held' || here?.bond !== bond) return
    tx.put('ownBond', bond, { ...own, state: 'over' })
    const since = here.mode === 'idle' ? here.since : tx.meshTick
    tx.put('contribution', OWN, { mode: 'idle', since, bond: null })
  }

  return {
    lockOf,
    withhold: async (fallen: Fallen): Promise<void> => {
      const row = await store.get('bond', fallen.bond)
      if (row === undefined) throw new Fault('NOT_FOUND', 'No such bond is known here.', { bond: fallen.bond })
      if (row.fallen !== null) return
      const locks = new Map<string, BondRow['parts'][number]>()
      for (const part of row.parts) {
        const lock = moves.isOwn(part.home) ? lockOf(fallen.bond, part) : undefined
        if (lock !== undefined) locks.set(lock, part)
      }
      if (locks.size === 0) return store.commit((tx) => mark(tx, fallen))
      const { bond, challenge, ruling } = fallen
      await moves.withhold({
        bond,
        locks: [...locks.keys()],
        ref: fallenRef(fallen),
        isDone: (tx) => tx.get('bond', bond)?.fallen !== null,
        beside: (tx, parts) => {
          mark(tx, fallen)
          for (const { digest, coins } of parts) {
            tx.put('withheld', keyOf(bond, digest), { challenge, ruling, mesh_tick: tx.meshTick, coins })
            const home = (locks.get(digest) as BondRow['parts'][number]).home
            recorder.in(tx, 'withheld', { home, bond, challenge, ruling } as Json)
          }
        },
      })
    },
  }
}
