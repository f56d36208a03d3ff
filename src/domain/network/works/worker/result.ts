import { toBase64, toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { saidOf } from '#core/work/said.ts'
import { type ContributedWork, type SignedWork, signWorkWith, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { isChecked, type Whole } from '#domain/compute/task.ts'
import type { ToldRequester } from '#domain/network/works/messages.ts'
import { dossierBytes, servedUntil } from '#domain/network/works/served.ts'
import type { Blobs } from '#domain/network/works/types.ts'
import type { Transaction } from '#store/transaction.ts'
import type { TakenResult, TakenRow } from '#store/works.ts'
import type { WorkerPorts } from './types.ts'

/** A finished run, before it is written down. */
export interface Finished {
  readonly signed: SignedWork
  readonly whole: Whole
}

/** What a worker says that it computed. @throws Fault for a result that no check has measured. */
export const finishedOf = async (
  { signer, parts }: Pick<WorkerPorts, 'signer' | 'parts'>,
  { offer: { offer } }: Pick<TakenRow, 'offer'>,
  whole: Whole,
): Promise<Finished> => {
  const { checked } = whole
  const code = parts.codeOf(offer.kind)
  if (!isChecked(checked) || code === undefined)
    throw new Fault('INVALID_INPUT', 'A run on these inputs is not sealed.')
  const work: ContributedWork = {
    job: offer.job,
    attempt: offer.attempt,
    code: { ...code, kernels: { ...code.kernels } },
    steps: checked.steps,
    ...saidOf(checked),
  }
  return { signed: await signWorkWith(signer, work), whole }
}

/** Writes down all that is served of a run, in the batch of its result. */
export const keepResult = (
  blobs: Pick<Blobs, 'put'>,
  tx: Transaction,
  { row, finished: { signed, whole } }: { readonly row: TakenRow; readonly finished: Finished },
): TakenResult => {
  const { offer, accept } = row
  const until = servedUntil(offer.offer.deadline + DISPUTE_TICKS)
  const bytes = (value: Uint8Array): string => {
    const name = toHex(sha256(value))
    blobs.put(tx, { kind: 'bytes', sha256: name }, value, until)
    return name
  }
  const work = signed.work
  blobs.put(tx, { kind: 'dossier', work: workDigest(work) }, dossierBytes({ offer, accept, work: signed }), until)
  if (work.steps !== null) {
    blobs.put(tx, { kind: 'states', root: work.steps.root }, whole.states, until)
    blobs.put(tx, { kind: 'records', work: workDigest(work) }, whole.records, until)
  }
  const kept = whole.kept.map(({ i, bytes: state }) => ({ i, sha256: bytes(state) }))
  return {
    work: signed,
    at: tx.meshTick,
    kept,
    outcome: whole.outcome === null ? null : bytes(whole.outcome),
  }
}

/** Says that a served value stays longer. */
export const extendResult = (blobs: Pick<Blobs, 'extend'>, tx: Transaction, row: TakenRow, until: number): void => {
  const { result, offer } = row
  if (result === null) return
  const names = [result.outcome, ...result.kept.map((it) => it.sha256)]
  for (const sha of names) if (sha !== null) blobs.extend(tx, { kind: 'bytes', sha256: sha }, until)
  const { work } = result.work
  blobs.extend(tx, { kind: 'dossier', work: workDigest(work) }, until)
  blobs.extend(tx, { kind: 'inputs', digest: offer.offer.inputs }, until)
  if (work.steps === null) return
  blobs.extend(tx, { kind: 'states', root: work.steps.root }, until)
  blobs.extend(tx, { kind: 'records', work: workDigest(work) }, until)
}

/** What a requester is told of a result: first the digests of the states, where it has some. */
export const toldOf = async (blobs: Pick<Blobs, 'get'>, row: TakenRow): Promise<readonly ToldRequester[]> => {
  const { result, offer } = row
  if (result === null) return []
  const { job, attempt } = offer.offer
  const { work, outcome } = result
  const { steps } = work.work
  const states = steps === null ? undefined : await blobs.get({ kind: 'states', root: steps.root })
  const digests: readonly ToldRequester[] =
    states === undefined ? [] : [{ type: 'digests', job, attempt, states: toBase64(states) }]
  return [...digests, { type: 'result', job, attempt, work, outcome }]
}
