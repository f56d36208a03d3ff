import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { fromBase64 } from '#core/bytes.ts'
import type { DisputedEvidence, Rechecked } from '#numerics/runtime/recheck.ts'
import { recheckHere } from './recheck-here.ts'

export type ShownDispute = ResultAt<'GET /api/contribute/disputes/{id}'>

/** Where a check in this browser stands. */
export interface Rechecking {
  /** Share of the run that is done, while it goes on. */
  readonly share?: number
  readonly found?: Rechecked
  readonly problem?: string
  start(): void
  stop(): void
}

const bytesOf = (blob: ShownDispute['before']): Uint8Array | undefined =>
  blob?.base64 == null ? undefined : fromBase64(blob.base64)

/** What a check goes by, of what the node shows. */
const evidenceOf = (it: ShownDispute): DisputedEvidence => ({
  ...{ challenger: it.challenger, worker: it.worker, challenge: it.challenge, signature: it.signature },
  ...{ dossier: it.dossier, inputs: it.inputs, before: bytesOf(it.before), records: bytesOf(it.records) },
})

/** Runs a disputed segment in this browser, when it is asked to. */
export const useRecheck = (dispute: ShownDispute): Rechecking => {
  const [state, show] = useState<Omit<Rechecking, 'start' | 'stop'>>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ share: 0 })
    try {
      const found = await recheckHere(evidenceOf(dispute), (share) => show({ share }), stop.signal)
      show({ found })
    } catch (error) {
      if (running.current !== stop) return
      show(stop.signal.aborted ? {} : { problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return { ...state, start: () => void run(), stop: () => running.current?.abort() }
}
