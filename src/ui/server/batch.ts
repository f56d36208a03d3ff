import { proofLine } from '#core/batch/proof-line.ts'
import { sleep } from '#core/wait.ts'
import type { PageSession } from '#ui/session.ts'
import type { JobAnswer } from './answer.ts'
import { ApiProblem, linesOf, NodeGone } from './api.ts'
import { freshName } from './fresh-name.ts'
import { untilAnswered } from './jobs.ts'

/** What came of one call: its answer, or why there is none. */
export type CallOutcome = { readonly answer: JobAnswer } | { readonly problem: ApiProblem }

/** Calls that are opened together. */
export interface SweptCalls {
  readonly path: string
  readonly inputs: readonly object[]
  readonly session: PageSession
  /** Ends the watching; the node goes on. */
  readonly signal: AbortSignal
  readonly tell: (index: number, outcome: CallOutcome) => void
}

interface Line extends Readonly<Record<string, unknown>> {
  readonly index?: number
  readonly answer?: JobAnswer
  readonly problem?: {
    readonly code: string
    readonly detail: string
    readonly status: number
    readonly details: object
  }
  readonly closing?: unknown
  readonly proofs?: { readonly opening: string | null; readonly closing: string | null }
}

const outcomeOf = ({ answer, problem }: Line): CallOutcome => {
  if (answer !== undefined) return { answer }
  const { code = 'UNKNOWN', detail = '', status = 500, details = {} } = problem ?? {}
  return { problem: new ApiProblem(status, { ...details, code, detail }) }
}

/** How often it is asked whether a checkpoint covers the closing, and how long between. */
const PROOF_ATTEMPTS_MAX = 20
const PROOF_MS = 250

/** Whether both leaves are proved. */
const isProved = ({ proofs }: Line): boolean => proofs?.opening != null && proofs.closing !== null

/** A batch whose last run is over. */
export interface EndedBatch {
  /**
   * NDJSON that proves that none of its calls is missing, as soon as a checkpoint covers it: within a tick.
   *
   * @throws ApiProblem, NodeGone, the signal's reason
   */
  proof(signal: AbortSignal): Promise<Blob>
}

/**
 * Runs calls of one route that are opened together, and tells of each as it ends.
 *
 * @throws ApiProblem, NodeGone, the signal's reason
 */
export const runBatch = async ({ path, inputs, session, signal: given, tell }: SweptCalls): Promise<EndedBatch> => {
  const name = freshName()
  const body = { calls: inputs.map((input) => ({ route: `POST ${path}`, input })) }
  const ask = async (after: number, signal: AbortSignal): Promise<AsyncGenerator<Line>> => {
    const asked = { method: 'POST', path: `/api/svc/batch?after=${after}`, body } as const
    return linesOf<Line>(await session.request(asked, { headers: { 'Idempotency-Key': name }, signal }), signal)
  }
  const lines: Line[] = []
  // A reading that breaks off is taken up where it was: the node has gone on.
  const closing = await untilAnswered(async () => {
    for await (const line of await ask(Math.max(0, lines.length - 1), given)) {
      if (line.closing !== undefined) return line
      if (line.index === undefined && lines.length > 0) continue
      lines.push(line)
      if (line.index !== undefined) tell(line.index, outcomeOf(line))
    }
    throw new NodeGone('The answer ended before the last run.')
  }, given)
  return {
    proof: async (signal) => {
      let last = closing
      for (let tried = 0; !isProved(last) && tried < PROOF_ATTEMPTS_MAX; tried++) {
        for await (const line of await ask(inputs.length, signal)) if (line.closing !== undefined) last = line
        if (!isProved(last)) await sleep(PROOF_MS, signal)
      }
      const text = [...lines, last].map((line) => `${JSON.stringify(proofLine(line))}\n`).join('')
      return new Blob([text], { type: 'application/x-ndjson' })
    },
  }
}
