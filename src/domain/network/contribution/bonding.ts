import { assert } from '#core/assert.ts'
import { toHex } from '#core/bytes.ts'
import { assertOwner, type Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { TokenReceipt } from '#core/token/receipt.ts'
import { BOND_TOKENS, type Bond, bondName } from '#core/work/bond.ts'
import { randomBytes } from '#crypto'
import type { OwnBondRow } from '#store/bonds.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import { applyOp, isApplied, lockedList, partOf, signerOf, signPartOp } from './locks.ts'
import type { HomeList } from './tokens.ts'
import { tokensFor } from './tokens.ts'
import type { BondOrder, ContributionPorts } from './types.ts'

/** How a bond comes to be: ops and lists are kept first, so that whatever cuts in, it ends whole or not at all. */

const RANDOM_BYTES = 16
const OWN = 'own'

/** What the owner alone may do. */
export const OWNER_ONLY = "A bond and the mode are the node owner's: this credential is another account's."

const draftKey = (name: string, at: number): string => keyOf(name, seqKey(at))

/** @throws Fault ALREADY_BONDED */
const assertUnbonded = (tx: Pick<Transaction, 'get'>): void => {
  const bond = tx.get('contribution', OWN)?.bond
  if (bond != null) throw new Fault('ALREADY_BONDED', undefined, { bond })
}

/** Writes down which bond the node has; without one it is idle. */
const pointTo = (tx: Transaction, bond: string | null): void => {
  const before = tx.get('contribution', OWN)
  const since = before === undefined || before.mode === 'idle' ? (before?.since ?? tx.meshTick) : tx.meshTick
  tx.put('contribution', OWN, { mode: 'idle', since, bond })
}

/** Ends what is kept of a bond that is made, or that never came to be. */
const dropDrafts = (tx: Transaction, name: string, { locks }: OwnBondRow): void => {
  for (const at of locks.keys()) tx.del('bondDraft', draftKey(name, at))
}

/** What is kept of bonds that are begun. */
const readerOf = ({ store }: ContributionPorts) => ({
  ownOf: (name: string): OwnBondRow => {
    const own = store.peek('ownBond', name)
    assert(own !== undefined, 'a bond that is begun has its row')
    return own
  },
  draftOf: (name: string, at: number): Uint8Array => {
    const list = store.peek('bondDraft', draftKey(name, at))
    assert(list !== undefined, 'a bond that is begun has its lists')
    return list
  },
})

const createUndo = (ports: ContributionPorts) => {
  const { store } = ports
  const { ownOf, draftOf } = readerOf(ports)

  /** Lets go what was locked of a bond that came to nothing. */
  return async (name: string): Promise<void> => {
    const before = ownOf(name)
    if (before.state === 'locking') await store.commit((tx) => tx.put('ownBond', name, { ...before, state: 'undoing' }))
    for (const [at, lock] of before.locks.entries()) {
      if (!(await isApplied(store, lock))) continue
      const list = lockedList(draftOf(name, at))
      const { meshTick } = store.now()
      const part = { op: 'unlock', home: lock.op.home, list, meshTick } as const
      const op = await signPartOp(signerOf(ports, before.zid), name, part)
      try {
        await applyOp(ports, op, list)
      } catch (cause) {
        // Let go by an earlier try, of which a crash lost the answer.
        if (!(cause instanceof Fault && cause.code === 'SUPERSEDED')) throw cause
      }
    }
    // What is forgotten ties nothing any more: rows first.
    await ports.moves.settled(before.zid)
    await store.commit((tx) => {
      dropDrafts(tx, name, before)
      tx.del('ownBond', name)
      pointTo(tx, null)
    })
  }
}

/** Makes bonds, and goes on with those that were begun. */
export const createBonding = (ports: ContributionPorts) => {
  const { store, recorder, nodeId } = ports
  const { ownOf, draftOf } = readerOf(ports)
  const undo = createUndo(ports)

  const prepare = async (zid: string, lists: readonly HomeList[]): Promise<string> => {
    const signer = signerOf(ports, zid)
    const random = toHex(randomBytes(RANDOM_BYTES))
    const name = bondName(nodeId, random)
    const { meshTick } = store.now()
    const locks = await Promise.all(lists.map((it) => signPartOp(signer, name, { op: 'lock', ...it, meshTick })))
    await store.commit((tx) => {
      assertUnbonded(tx)
      tx.put('ownBond', name, { state: 'locking', random, zid, locks, unlocks: null })
      for (const [at, { list }] of lists.entries()) tx.put('bondDraft', draftKey(name, at), list)
      pointTo(tx, name)
    })
    return name
  }

  const announce = async (name: string, own: OwnBondRow, receipts: readonly TokenReceipt[]): Promise<void> => {
    const total = BOND_TOKENS as Bond['total']
    const payload: Bond = {
      bond: name,
      random: own.random,
      policy: ports.policy,
      total,
      parts: receipts.map(partOf),
    }
    await store.commit((tx) => {
      recorder.in(tx, 'bond', payload as unknown as Json)
      tx.put('ownBond', name, { ...own, state: 'held' })
      dropDrafts(tx, name, own)
    })
  }

  /** Applies the locks and says so; where one is refused all are let go. @throws Fault of that refusal */
  const complete = async (name: string): Promise<void> => {
    const own = ownOf(name)
    const receipts: TokenReceipt[] = []
    try {
      for (const [at, lock] of own.locks.entries()) receipts.push(await applyOp(ports, lock, draftOf(name, at)))
      await announce(name, own, receipts)
    } catch (cause) {
      if (cause instanceof Fault) await undo(name)
      throw cause
    }
  }

  return {
    /** Makes a bond of the owner's envelopes. @returns its name */
    make: async (caller: Caller, order: BondOrder): Promise<string> => {
      assertOwner(caller, OWNER_ONLY)
      if (caller.kind !== 'owner') throw new Fault('SCOPE_REQUIRED')
      assertUnbonded({ get: store.peek })
      await ports.moves.settled(caller.zid)
      const name = await prepare(caller.zid, await tokensFor(store, caller.zid, order))
      await complete(name)
      await ports.moves.settled(caller.zid)
      return name
    },
    /** Goes on with a bond that was begun: to its event, or back. */
    goOn: async (name: string): Promise<void> => {
      if (ownOf(name).state === 'undoing') return undo(name)
      try {
        await complete(name)
      } catch (cause) {
        // Refused: it was let go, and nobody waits for an answer.
        if (!(cause instanceof Fault)) throw cause
      }
    },
  }
}
