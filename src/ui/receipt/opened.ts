import type { Bundle } from '#core/claim.ts'
import type { EnvelopeSummary, JobAnswer } from '#ui/server/answer.ts'
import { type ServerReading, useReading } from '#ui/server/reading.ts'
import { readSolver, type ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { fetchEvidence, type NamedReceipt } from './evidence.ts'

/** A receipt with all that its node keeps of it. */
export interface OpenedReceipt {
  readonly bundle: Bundle
  readonly input: object
  /** The members of its result, as the answer had them. */
  readonly answer: JobAnswer
}

/** The bundle of a receipt, read once. */
export const useOpened = (session: PageSession, named: NamedReceipt): ServerReading<OpenedReceipt> =>
  useReading(
    async (signal) => {
      const bundle = JSON.parse(await (await fetchEvidence(session, named, signal)).text()) as Bundle
      const { value, unit } = bundle.envelope.claim
      const output = (bundle.result?.output ?? {}) as object
      const answer = { value, unit, ...output } as unknown as JobAnswer
      return { bundle, input: (bundle.inputs ?? {}) as object, answer }
    },
    { on: [session, named.token, named.nonce] },
  )

/** The solver that made it, if it is one of those with a name. */
export const useSolverOf = ({ kind }: Pick<EnvelopeSummary, 'kind'>): ShownSolver | undefined =>
  useReading(async (signal) => (kind === 'compute' ? undefined : readSolver(kind, signal)), { on: [kind] }).value

/** A list as an address carries it; a longer one would make no address. */
const LIST_CHARS_MAX = 2_000

/** Inputs as an address carries them: `nx=64`, `initial.kind=box`; lists as JSON. */
export const inputQuery = (input: object, path = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]: [string, unknown]): readonly (readonly [string, string])[] => {
      const at = `${path}${name}`
      if (value === undefined) return []
      if (typeof value !== 'object' || value === null) return [[at, String(value)]]
      if (!Array.isArray(value)) return Object.entries(inputQuery(value, `${at}.`))
      const text = JSON.stringify(value)
      return text.length > LIST_CHARS_MAX ? [] : [[at, text]]
    }),
  )
