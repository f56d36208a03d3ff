import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { outcomeOf } from '#core/dispute/challenge.ts'
import { checkKey, type Dispute } from '#core/dispute/fold.ts'
import { Fault } from '#core/fault.ts'
import { saidOf } from '#core/work/said.ts'
import { outcomeDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { isChecked, type RunPart } from '#domain/compute/task.ts'
import { partOf } from '#domain/network/works/parts.ts'
import type { DisputeCheckRow } from '#store/disputes.ts'
import type { Data, WorkData, WorkSides } from './data.ts'
import type { DisputePorts } from './types.ts'

/** Whose data a dispute needs, and who may have them. */
export const askedFor = ({ work, challenge }: Pick<Dispute, 'work' | 'challenge'>): WorkSides => ({
  work: work.work,
  worker: work.worker,
  requester: work.requester,
  challenger: challenge.author,
})

/** What has to be run for a challenge; undefined while its data are not here. */
const taskOf = async (dispute: Dispute, data: Data): Promise<RunPart | undefined> => {
  const { segment } = dispute.challenge.payload
  if (segment === 'init' || segment === 'all') return { kind: segment }
  const of = askedFor(dispute)
  const bytes = await data.before(of, dispute.challenge.payload)
  if (bytes === undefined || segment === null) return undefined
  if (typeof segment === 'number') return { kind: 'segment', index: segment, bytes }
  const records = await data.records(of)
  return records === undefined ? undefined : { kind: 'finish', bytes, records }
}

/** Checks challenges, each once, and keeps what came. */
export const createChecks = ({ store, parts }: DisputePorts, data: Data, stop: AbortSignal) => {
  /** The digest that running the segment gives; undefined for a run that ends with no result. */
  const recomputed = async (known: WorkData, part: RunPart): Promise<string | undefined> => {
    const run = { kind: known.dossier.offer.offer.kind, inputs: known.inputs }
    try {
      const parted = await partOf(parts, run, { part, signal: stop })
      if (parted.kind === 'state') return toHex(sha256(parted.bytes))
      return isChecked(parted.checked) ? outcomeDigest(saidOf(parted.checked)) : undefined
    } catch (cause) {
      stop.throwIfAborted()
      // A state or records that are none, a result that no gate lets pass: the run has no such end.
      if (cause instanceof Fault && cause.code !== 'NODE_BUSY' && cause.code !== 'WORKER_LOST') return undefined
      throw cause
    }
  }

  const outcomeFor = async (dispute: Dispute): Promise<Pick<DisputeCheckRow, 'outcome' | 'recomputed'> | undefined> => {
    const known = await data.get(askedFor(dispute))
    if (known === undefined) return undefined
    const { offer } = known.dossier.offer
    const code = parts.codeOf(offer.kind)
    if (code === undefined || canonical(code as unknown as Json) !== canonical(offer.code as unknown as Json)) {
      return { outcome: 'unchecked', recomputed: null }
    }
    const part = await taskOf(dispute, data)
    if (part === undefined) return undefined
    const found = await recomputed(known, part)
    if (found === undefined) return { outcome: 'not_reproducible', recomputed: null }
    return { outcome: outcomeOf(found, dispute.challenge.payload, known.dossier.work.work), recomputed: found }
  }

  return {
    known: (dispute: Dispute): DisputeCheckRow | undefined =>
      store.peek('disputeCheck', checkKey(dispute.work, dispute.challenge)),
    /** @returns undefined while what it needs is not here */
    run: async (dispute: Dispute): Promise<DisputeCheckRow | undefined> => {
      const key = checkKey(dispute.work, dispute.challenge)
      const before = store.peek('disputeCheck', key)
      if (before !== undefined && before.outcome !== 'unchecked') return before
      const found = await outcomeFor(dispute)
      if (found === undefined) return undefined
      return store.commit((tx) => {
        const row: DisputeCheckRow = { challenge: dispute.id, ...found, mesh_tick: tx.meshTick }
        tx.put('disputeCheck', key, row)
        tx.put('disputedNews', 'all', key)
        return row
      })
    },
  }
}
export type Checks = ReturnType<typeof createChecks>
