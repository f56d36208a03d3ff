import { constantTimeEqual, fromHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Entry, EntryProof } from '#core/machine.ts'
import { sha256 } from '#crypto'
import type { Standing } from '#domain/credentials/standing.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { countOwned, found, MACHINES_MAX } from './lifecycle.ts'
import { createProofs } from './reads.ts'
import { assertActive, type Saying, say, sayAsNode } from './record.ts'
import { admitted, personOf } from './roles.ts'

/** An entry with what proves it to whoever has the node's key. */
export interface ProvedEntry {
  readonly slug: string
  readonly genesis_hash: string
  readonly entry: Entry
  readonly hash: string
  /** Null until the head of its tick is under a checkpoint. */
  readonly proof: EntryProof | null
}

/** What other domains do with machines, as part of their own batches. */
export const createWriting = (context: MachineContext) => {
  const { store } = context
  const proofOf = createProofs(context)
  return {
    /** The machine of a slug, for a caller who reaches `needed`. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    admit: (asking: MachineRequest, needed: Standing): MachineRow =>
      admitted({ get: store.peek }, { ...asking, needed }).machine,

    /** Appends an entry. @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED */
    write: (tx: Transaction, { caller, slug }: MachineRequest, saying: Saying): MachineEntryRow => {
      const { machine, standing } = admitted(tx, { slug, caller, needed: 'operator' })
      assertActive(machine)
      return say(context, tx, machine, { ...saying, caller, standing })
    },

    /** Appends what the node itself says. Whether the machine takes entries is the asker's to know. */
    enter: (tx: Transaction, machine: MachineRow, saying: Omit<Saying, 'unnamed' | 'stateHash'>): MachineEntryRow =>
      sayAsNode(context, tx, machine, saying),

    /** Tells this of every entry that is durable, from now on, by the slug of its machine. */
    listen: context.hub.listen,

    /** Asks whether an account may have one machine more. @throws Fault SCOPE_REQUIRED, RATE_LIMITED */
    assertRoom: async (caller: Caller): Promise<void> => {
      if ((await countOwned(context, personOf(caller))) < MACHINES_MAX) return
      throw new Fault('RATE_LIMITED', `An account has at most ${MACHINES_MAX} machines.`, { limit: MACHINES_MAX })
    },

    /** A new private machine of an account, with its first entry and without a key. @throws Fault SLUG_TAKEN */
    foundIn: (tx: Transaction, { caller, slug }: MachineRequest, purpose: string): MachineRow => {
      const machine = found(context, tx, personOf(caller), { slug, is_public: false, purpose })
      say(context, tx, machine, { type: 'created', open: { is_public: false }, caller, standing: 'owner' })
      return machine
    },

    /** Whether anyone may see a machine, or whoever has this share token. */
    shares: (slug: string, token: string | null): boolean => {
      const machine = store.peek('machine', slug)
      if (machine === undefined) return false
      if (machine.is_public) return true
      const { share_hash } = machine
      return token !== null && share_hash !== null && constantTimeEqual(sha256(utf8(token)), fromHex(share_hash))
    },

    /** An entry with its proof; who may see it is the asker's to know. */
    proved: async (slug: string, seq: number): Promise<ProvedEntry | undefined> => {
      const machine = store.peek('machine', slug)
      const row = store.peek('machineEntry', keyOf(slug, seqKey(seq)))
      if (machine === undefined || row === undefined) return undefined
      const { genesis_hash } = machine
      return { slug, genesis_hash, entry: row.entry, hash: row.hash, proof: await proofOf(machine, row) }
    },
  }
}
