import type { ResultAt } from '#api/result-of.ts'
import { fromBase64 } from '#core/bytes.ts'
import type { DisputedEvidence, Rechecked } from '#numerics/runtime/recheck.ts'
import { askWorker } from '#ui/part/ask-worker.ts'
import { type Rerunning, useRerun } from '#ui/part/use-rerun.ts'

export type ShownDispute = ResultAt<'GET /api/contribute/disputes/{id}'>

/** A check in this browser, and where it stands. */
export type Rechecking = Rerunning<Rechecked>

const bytesOf = (blob: ShownDispute['before']): Uint8Array | undefined =>
  blob?.base64 == null ? undefined : fromBase64(blob.base64)

/** What a check goes by, of what the node shows. */
const evidenceOf = (it: ShownDispute): DisputedEvidence => ({
  ...{ challenger: it.challenger, worker: it.worker, challenge: it.challenge, signature: it.signature },
  ...{ dossier: it.dossier, inputs: it.inputs, before: bytesOf(it.before), records: bytesOf(it.records) },
})

const startRecheck = (): Worker => new Worker(new URL('./recheck-worker.ts', import.meta.url), { type: 'module' })
const missing = 'The check could not be loaded.'

/** Runs a disputed segment in this browser, when it is asked to. */
export const useRecheck = (dispute: ShownDispute): Rechecking =>
  useRerun((tell, signal) => askWorker(startRecheck, evidenceOf(dispute), { tell, signal, missing }))
