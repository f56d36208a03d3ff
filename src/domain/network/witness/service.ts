import { toHex } from '#core/bytes.ts'
import { nodeOfLog } from '#core/ids.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import { emptyRoot } from '#core/merkle.ts'
import { encodeVkey, parseVkey } from '#core/note.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { underway } from '#core/underway.ts'
import { statementBytes, stateWitness, witnessVerifier } from '#core/witness-key.ts'
import { createStanding, namedLogs } from '#domain/network/standing.ts'
import type { Network } from '#domain/network/types.ts'
import type { CosignedView } from '#domain/network/views.ts'
import { cosignaturesAt, cosignedOf } from '#store/cosigned.ts'
import type { SealLog } from '#store/seal-log.ts'
import { createAccuser } from './accuser.ts'
import { createAdmission } from './admission.ts'
import { createAsker } from './asker.ts'
import { type ConfirmationOptions, createConfirmation } from './confirmation.ts'
import { listEvidence, originHash } from './evidence.ts'
import { createRollback, type Lost } from './rollback.ts'
import type { WitnessTransport } from './transport.ts'
import type { Witness } from './witness.ts'

export interface WitnessOptions extends ConfirmationOptions {
  readonly signer: Signer
  /** The witness key, which is not the identity key. */
  readonly key: { readonly publicKey: Uint8Array; readonly seed: Uint8Array }
  readonly network: Pick<Network, 'peers' | 'heads' | 'equivocations' | 'record' | 'sync'>
  /** `open`, or the SHA-256 of the policy file. */
  readonly policyName: string
  readonly log: Log
  readonly meter: Meter
}

/** How far a log is cosigned, as it is shown. */
const viewOf = ({ store, policyName }: WitnessOptions, log: SealLog): CosignedView => {
  const { best, witnesses } = cosignedOf(store, log.name)
  const size = log.checkpoint?.size ?? null
  return {
    origin: log.origin,
    size,
    witnessed: size === null ? 0 : cosignaturesAt(store, log.name, size).length,
    quorum_size: best?.policy === policyName ? best.size : null,
    witnesses: Object.entries(witnesses).map(([vkey, cosigned]) => ({ name: parseVkey(vkey).name, size: cosigned })),
  }
}

/** What `lost` shows of itself; the note is long and is not for a status. */
const shownLost = ({ note: _, ...rest }: Lost): Omit<Lost, 'note'> => rest

/**
 * Logs that the policy names are known before they ask: what is proved against them, and who follows their keys, is
 * kept whatever strangers have filled the tables with.
 */
const enlistNamed = async ({ store, policy }: Pick<WitnessOptions, 'store' | 'policy'>, node: string) => {
  const missing = [...namedLogs(policy)].filter(
    (origin) => nodeOfLog(origin) !== node && store.peek('witnessed', originHash(origin)) === undefined,
  )
  if (missing.length === 0) return
  const root = toHex(emptyRoot())
  await store.commit((tx) => {
    for (const origin of missing) tx.put('witnessed', originHash(origin), { origin, size: 0, root, note: '' })
  })
}

/** Opens the witness of a node: its key stated, its logs checked by what an earlier start was shown. */
export const createWitness = async (options: WitnessOptions): Promise<Witness> => {
  const { store, signer, key, network, policy, policyName, log, meter } = options
  const node = nodeIdOf(signer.publicKey)
  const verifier = witnessVerifier(node, key.publicKey)
  const statement = await stateWitness(signer, key.publicKey)
  const stated = statementBytes(statement)
  const rollback = createRollback(store, (lost) => log.error(shownLost(lost), 'log_rolled_back'))
  await enlistNamed(options, node)
  await rollback.recall()
  await rollback.look()
  const confirmation = createConfirmation(options, rollback.lost)
  const accuser = createAccuser({ store, network, log, meter })
  network.sync?.onFork(accuser.accuse)
  const work = underway()
  // A note that our own key signed says the same whoever shows it, and most peers are no witnesses of ours.
  network.sync?.onAhead((note, from) => work.add(rollback.check(store.events, note, from).catch(() => undefined)))
  const connected = (): readonly string[] => network.peers().flatMap((it) => (it.connected ? [it.node] : []))
  const isPeer = (it: string): boolean => connected().includes(it)
  const admission = createAdmission({
    ...{ store, node, policy, isPeer, accuse: accuser.accuse, log, meter },
    key: { verifier, seed: key.seed },
  })
  let transport: WitnessTransport | undefined
  const asker = createAsker({
    ...{ store, node, policy, policyName, rollback, confirmation, log, meter },
    peers: connected,
    transport: () => transport,
  })
  const stop = new AbortController()

  const confirm = (): void => confirmation.look(asker.words())
  /** What comes round and writes: one at a time, and what fails comes round again. */
  let rounding = false
  const round = async (): Promise<void> => {
    if (rounding) return
    rounding = true
    try {
      await accuser.record()
      await rollback.look()
    } catch (error) {
      if (!stop.signal.aborted) log.warn({ error }, 'witness_round_failed')
    } finally {
      rounding = false
    }
  }

  return {
    vkey: encodeVkey(verifier),
    statement,
    admission: admission,
    stateOf: (origin) => ({ statement: stated, note: admission.checkpoint(originHash(origin)) ?? '' }),
    standingOf: createStanding(store, policy, policyName),
    lost: rollback.lost,
    status: async () => {
      const lost = rollback.lost()
      return {
        name: verifier.name,
        vkey: encodeVkey(verifier),
        logs_known: store.peek('witnessPlaces', 'all')?.taken ?? 0,
        policy: policyName,
        quorum: policy === undefined || policy.quorum === null ? 'none' : 'asked',
        logs: [viewOf(options, store.log), viewOf(options, store.events)],
        evidence: await listEvidence(store),
        state: lost !== undefined ? 'rolled_back' : confirmation.waits() ? 'unconfirmed' : 'growing',
        lost: lost === undefined ? null : shownLost(lost),
      }
    },
    accuse: accuser.accuse,
    join: (it) => {
      transport = it
    },
    beat: () => {
      if (stop.signal.aborted) return
      accuser.look()
      work.add(round())
      asker.beat(stop.signal, (visit) => work.add(visit.finally(confirm)))
      confirm()
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the node is stopping'))
      await work.ended()
    },
  }
}
