import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { assertTxSigned, TX_TICKS, type TxSigned, txDataDigest, txDigest, txProofOf } from '#core/tx.ts'
import type { Reader } from '#domain/credentials/standing.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import { type TxNonceRow, txNonceKey } from '#store/rows/tx-nonce.ts'
import type { Transaction } from '#store/transaction.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { assertEventData, type EventData } from './event-data.ts'
import { assertActive, recordedOf, say } from './record.ts'
import { admitted } from './roles.ts'
import type { RecordedView } from './views.ts'

/** A signed transaction whose signature holds, before it is taken. */
export interface TxOpened {
  readonly digest: string
  /** ZID of the signer. */
  readonly signer: string
  /** The signer, as whoever calls: the role in the machine is theirs, not the bearer's. */
  readonly speaker: Caller
  readonly data: EventData | undefined
  /** Takes it, once, in a transaction: its nonce and its entry. @throws Fault as `openTx`; TX_REPLAYED, RATE_LIMITED */
  take(tx: Transaction): MachineEntryRow
}

/** What is told of a transaction that was taken. */
export interface TxTaken {
  readonly tx: string
  readonly signer: string
  readonly recorded: RecordedView
}

/** @throws Fault INVALID_INPUT */
const assertAsked = ({ contract, event, to, data }: TxSigned): void => {
  const refuse = (path: string, message: string): never => refuseInput([{ path, message }])
  if ((event === undefined) === (to === undefined)) refuse('/event', 'say either event or to')
  if (to !== undefined && contract === undefined) refuse('/contract', 'to is a state of a contract: say of which')
  if (to !== undefined && data !== undefined) refuse('/data', 'data is of an event')
}

/** @param now mesh tick. @throws Fault INVALID_INPUT */
const assertInWindow = ({ mesh_tick }: TxSigned, now: number): void => {
  if (Math.abs(mesh_tick - now) <= TX_TICKS) return
  const message = `${mesh_tick} is more than ${TX_TICKS} ticks from ${now}, the present mesh tick`
  throw new Fault('INVALID_INPUT', `/mesh_tick: ${message}.`, {
    errors: [{ path: '/mesh_tick', message }],
    mesh_tick,
    now,
    limit: TX_TICKS,
  })
}

const bearerOf = (caller: Caller): string => {
  if (caller.kind === 'anonymous') return 'anonymous'
  return caller.kind === 'machine' ? `key:${caller.keyId}` : caller.zid
}

/** What members sign with their own keys, and anybody brings. */
export const createSubmitted = (context: MachineContext) => {
  const { store } = context

  /** The machine, where the signer reaches far enough in it. @throws Fault NOT_FOUND, SCOPE_REQUIRED, INVALID_INPUT */
  const machineFor = (reader: Reader, slug: string, { tx, speaker }: { tx: TxSigned; speaker: Caller }) => {
    const found = admitted(reader, { slug, caller: speaker, needed: 'operator' })
    if (found.machine.id_hash !== tx.machine) {
      refuseInput([{ path: '/machine', message: 'is another machine than that of the slug' }])
    }
    return found
  }

  /** Looks at the nonce, and has it used up. @throws Fault TX_REPLAYED */
  const useNonce = (tx: Transaction, key: string, use: TxNonceRow): void => {
    const used = tx.get('txNonce', key)
    if (used !== undefined && used.expires_mesh_tick >= tx.meshTick) {
      throw new Fault('TX_REPLAYED', undefined, { tx: used.tx, seq: used.seq })
    }
    // One that has lapsed may not have been swept yet.
    if (used !== undefined) tx.del('txNonceByExpiry', keyOf(seqKey(used.expires_mesh_tick), key))
    tx.put('txNonce', key, use)
    tx.put('txNonceByExpiry', keyOf(seqKey(use.expires_mesh_tick), key), key)
  }

  /**
   * Checks a signed transaction, and says how it is taken. What is wrong with it is told before anything about the
   * machine; a private machine is there for signers who are its members alone.
   *
   * @throws Fault INVALID_INPUT, BAD_PUBLIC_KEY, BAD_SIGNATURE, NOT_CANONICAL, NOT_FOUND, SCOPE_REQUIRED
   */
  const openTx = ({ caller, slug }: MachineRequest, signed: TxSigned): TxOpened => {
    assertAsked(signed)
    const data = signed.data === undefined ? undefined : assertEventData(signed.data)
    const signer = assertTxSigned(signed)
    assertInWindow(signed, store.now().meshTick)
    const { bucket } = caller
    const digest = txDigest(signed)
    const speaker: Caller = { kind: 'account', bucket, zid: signer, keyId: digest, account: signer, shared: false }
    const of = { tx: signed, speaker }
    machineFor({ get: store.peek }, slug, of)
    return {
      ...{ digest, signer, speaker, data },
      take: (tx) => {
        const { machine, standing } = machineFor(tx, slug, of)
        assertInWindow(signed, tx.meshTick)
        const seq = tx.get('machineHead', slug)?.size ?? 0
        const until = signed.mesh_tick + TX_TICKS
        useNonce(tx, txNonceKey(slug, signer, signed.nonce), { tx: digest, slug, seq, expires_mesh_tick: until })
        assertActive(machine)
        const proof = { ...txProofOf(signed) }
        const isEvent = signed.contract === undefined
        const { event = null } = signed
        const open = isEvent
          ? { event, payload_hash: null, tx: proof }
          : { event, data_digest: txDataDigest(signed), tx: proof }
        const secret = { bearer: bearerOf(caller) }
        // What a contract alone is told stands with its fire.
        const carried = isEvent && data !== undefined ? { data } : {}
        const saying = { type: isEvent ? 'event' : 'tx', open, secret, ...carried }
        return say(context, tx, machine, { ...saying, caller: speaker, standing })
      },
    }
  }

  return {
    openTx,
    /** Takes an event that a member signed. @throws Fault as `openTx`; TX_REPLAYED, MACHINE_NOT_ACTIVE, RATE_LIMITED */
    submit: async (asking: MachineRequest, signed: TxSigned): Promise<TxTaken> => {
      const { digest, signer, take } = openTx(asking, signed)
      const row = await store.commit(take)
      return { tx: digest, signer, recorded: recordedOf(asking.slug, row) }
    },
  }
}
