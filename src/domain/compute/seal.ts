import { toHex } from '#core/bytes.ts'
import type { AskedClaim, Claim, Code, Envelope, PlainClaim } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { equationsDigest, receiptDigest, signClaimLeafWith } from '#core/envelope.ts'
import { Fault, faults } from '#core/fault.ts'
import { tokenIdOf } from '#core/ids.ts'
import type { Signer } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { askedDigest } from '#core/question.ts'
import { type BundledWork, signAssuranceWith } from '#core/work/assurance.ts'
import { workDigest } from '#core/work/work.ts'
import { randomBytes } from '#crypto'
import type { Hold } from '#domain/economy/economy.ts'
import { equationsOf } from '#numerics/runtime/equations.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import { putKept, type Stamp } from '#store/kept.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Transaction } from '#store/transaction.ts'
import type { AskedQuestion } from './auto-orders.ts'
import { tickReceiptOf } from './receipt.ts'
import type { Checked, ContributedBy } from './task.ts'
import type { ComputePorts } from './types.ts'

/** Bytes of an output that is kept with its envelope; a larger one is made again by a replay. */
export const RESULT_BYTES_MAX = 16_777_216

const NONCE_BYTES = 16

/** A checked result on its way to an envelope. */
export interface SealOrder {
  readonly checked: Checked
  /** The price kept back for it; it is burned here and nowhere else. */
  readonly hold: Hold
  /** Whether it stands in the public record; the account's default when left out. */
  readonly published?: boolean | undefined
  /** The question in words that it answers, and whether the reading of it was confirmed. */
  readonly asked?: AskedQuestion | undefined
  /** What else belongs into the same batch: the stored answer of an Idempotency-Key, the row of a job. */
  readonly also: (tx: Transaction, tokenId: string) => void
}

/** A durable envelope. */
export interface Minted {
  readonly row: EnvelopeRow
  /** Leaf hash, hex. */
  readonly hash: string
  readonly evidence: Envelope
}

/** A seal inside a transaction of somebody else's: what is minted is known once that has been committed. */
export interface Sealing {
  readonly tokenId: string
  readonly minted: () => Minted
}

/** The result of a seal: an envelope, or the sentence that says why there is none though the result is good. */
export type SealOutcome =
  | { readonly kind: 'minted'; readonly minted: Minted }
  | { readonly kind: 'failed'; readonly reason: string }

/** A seal with the nonce of its claim, which is drawn once, however often its plan runs. */
export type Nonced = SealOrder & { readonly nonce: string }

/** Where and when the claim stands, known only inside the commit. */
interface Place {
  readonly index: number
  readonly tokenId: string
  readonly tick: number
  readonly phase: number
}

const stampAt = (
  pulseSecret: Uint8Array,
  { checked, asked }: Pick<SealOrder, 'checked' | 'asked'>,
  at: Place,
): Stamp => ({
  tick_receipt: tickReceiptOf(pulseSecret, checked, at),
  equations: equationsOf({ S: checked.value, phase: at.phase, field: checked.field }),
  evidence_digest: checked.evidenceDigest,
  figures: checked.reality.figures,
  extras: checked.extras,
  ...(asked !== undefined && { question: asked.question }),
})

/** What all claims of one node share. */
interface Frame {
  readonly node: string
  readonly origin: string
  /** Digests of everything a replay must load. */
  readonly code: (solver: string, kernels: readonly string[]) => Code
  readonly versions: { readonly registry: string; readonly kernel: string }
}

const versionOf = ({ asked, nonce }: Nonced): Pick<PlainClaim, 'v'> | Pick<AskedClaim, 'v' | 'asked'> =>
  asked === undefined
    ? { v: 1 }
    : { v: 2, asked: { reading: askedDigest(nonce, asked.question), confirmed: asked.confirmed } }

const workerOf = ({ contributed }: Checked): Claim['worker'] =>
  contributed === undefined ? null : { node: contributed.node, work: workDigest(contributed.work.work) }

/** The worker's word, and by this node's own what was checked of it. */
const assuredOf = async (signer: Signer, { work, assurance }: ContributedBy, tokenId: string): Promise<BundledWork> => {
  const said = { token_id: tokenId, work: workDigest(work.work), ...assurance }
  const signed = await signAssuranceWith(signer, said)
  return { ...work, assurance: signed.assurance, assurance_signature: signed.signature }
}

const claimOf = (
  { node, origin, code, versions }: Frame,
  sealing: Nonced,
  { index, tokenId, tick, phase, stamp }: Place & { readonly stamp: Stamp },
): Claim => {
  const { checked, hold, nonce } = sealing
  // Members stand in the order of the canonical form, which is then written as they are, in half the time.
  return {
    check: { against: checked.reality.against, bound: ERROR_PCT_MAX, measured: checked.reality.errorPct },
    code: code(checked.solver, checked.kernels),
    equations_digest: equationsDigest(stamp.equations),
    funding: hold.funding,
    index,
    inputs_digest: checked.inputsDigest,
    kernel_version: versions.kernel,
    kind: checked.kind,
    log: origin,
    node,
    nonce,
    operators: checked.operators,
    phase,
    precisionActual: checked.reality.errorPct,
    price: hold.credits,
    receipt_digest: receiptDigest(stamp.tick_receipt),
    registry_version: versions.registry,
    result_digest: checked.resultDigest,
    steps: checked.steps,
    tick,
    token_id: tokenId,
    unit: checked.unit,
    ...versionOf(sealing),
    value: checked.value,
    worker: workerOf(checked),
    zid: hold.zid,
  }
}

type Ports = Pick<ComputePorts, 'store' | 'economy' | 'signer' | 'node' | 'pulseSecret' | 'log' | 'tally'>

/** Checks the measured error, whoever measured it, and draws the nonce of the claim. @throws Fault of the gate */
export const passed = (sealing: SealOrder): Nonced => {
  passGate(sealing.checked.reality)
  return { ...sealing, nonce: toHex(randomBytes(NONCE_BYTES)) }
}

/**
 * The only way to an envelope. Checks the measured error again, whoever measured it, and then burns the price, mints
 * and appends the claim in one atomic write; the claim leaves the process only once it is durable.
 */
export const createSealer = (ports: Ports, code: Frame['code'], versions: Frame['versions']) => {
  const { store, economy, signer, node, pulseSecret, log, tally } = ports
  const { origin } = store.log
  const frame: Frame = { node: node.id, origin, code, versions }

  /** The plan of one seal. It may run more than once, so everything it makes belongs to its own run. */
  const within = (tx: Transaction, sealing: Nonced): Sealing => {
    const { checked, hold, published, also } = sealing
    let claim: Claim | undefined
    let signature = ''
    let leaf: Uint8Array = new Uint8Array()
    const index = tx.append(purposes.envelope, async () => {
      claim = claimOf(frame, sealing, { ...at, stamp })
      const signed = await signClaimLeafWith(signer, claim)
      signature = signed.signature
      leaf = signed.leaf
      return leaf
    })
    const tokenId = tokenIdOf(origin, index)
    const at: Place = { index, tokenId, tick: tx.tick, phase: tx.phase }
    const stamp = stampAt(pulseSecret, sealing, at)
    const row = economy.settle(tx, hold, {
      tokenId,
      index,
      kind: checked.kind,
      operators: checked.operators,
      precisionActual: checked.reality.errorPct,
      value: checked.value,
      unit: checked.unit,
      kept: putKept(tx.put, store.log.base + index, {
        stamp: JSON.stringify(stamp),
        inputs: checked.inputs,
        output: checked.output.length > RESULT_BYTES_MAX ? null : checked.output,
      }),
      ...(published === undefined ? {} : { published }),
    })
    const { contributed } = checked
    if (contributed !== undefined) {
      tx.late(async (put) => put('assured', tokenId, await assuredOf(signer, contributed, tokenId)))
    }
    also(tx, tokenId)
    tx.onDurable(() => {
      const serial = store.log.base + index
      tally.sealed({ serial, data: leaf, resultDigest: checked.resultDigest })
    })
    const minted = (): Minted => {
      const { tick_receipt, equations } = stamp
      return {
        row,
        hash: toHex(leafHash(leaf)),
        evidence: { claim: claim as Claim, signature, tick_receipt, equations },
      }
    }
    return { tokenId, minted }
  }

  /**
   * @throws Fault PRECISION_NOT_MET, ENERGY_NOT_CONSERVED, DID_NOT_CONVERGE from the gate; INSUFFICIENT_BALANCE,
   * CLOCK_BEHIND. Any other failure of the write is an outcome, not a fault: the result was good.
   */
  const seal = async (sealing: SealOrder): Promise<SealOutcome> => {
    const nonced = passed(sealing)
    try {
      const { minted } = await store.commit((tx) => within(tx, nonced))
      return { kind: 'minted', minted: minted() }
    } catch (cause) {
      // The caller's, the clock's, or of what belongs into the same batch: a refusal, and no failure of the store.
      if (cause instanceof Fault && faults[cause.code].class !== 'node') throw cause
      log.error({ kind: sealing.checked.kind, cause: String(cause) }, 'seal_failed')
      const why = cause instanceof Fault ? cause.message : 'The store could not write it.'
      return {
        kind: 'failed',
        reason: `The result is checked, but it could not be sealed: ${why} Nothing was charged.`,
      }
    }
  }
  return { seal, within }
}

export type Sealer = ReturnType<typeof createSealer>
