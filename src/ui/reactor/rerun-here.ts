import type { VerificationStep, VerificationView } from '#ui/part/verdict.tsx'
import { fetchEvidence } from '#ui/receipt/evidence.ts'
import { verifyHere } from '#ui/receipt/verify.ts'
import type { PageSession } from '#ui/session.ts'
import { type ReactorStep, solverOf } from './reactor.ts'
import { readProved } from './read-proved.ts'

interface Work {
  readonly signal: AbortSignal
  readonly tell: (share: number) => void
}

interface Claimed {
  readonly envelope: { readonly claim: { readonly inputs_digest: string; readonly result_digest: string } }
}

/** One sealed step again, in this browser: its envelope holds, and it is the step that the trajectory has. */
const judgeStep = async (
  session: PageSession,
  [before, row]: readonly [ReactorStep, ReactorStep],
  { signal, tell }: Work,
): Promise<VerificationStep> => {
  const step = `step ${row.step}`
  const evidence = await fetchEvidence(session, { token: row.token_id ?? '' }, signal)
  const { vkey: trusted, past } = session
  const verdict = await verifyHere({ evidence, trusted, past }, tell, signal)
  if (verdict.outcome !== 'verified') {
    const wrong = verdict.steps.find((it) => it.state !== 'ok')
    return { step, state: verdict.outcome === 'failed' ? 'failed' : 'skipped', detail: wrong?.detail ?? '' }
  }
  const { claim } = (JSON.parse(await evidence.text()) as Claimed).envelope
  const same = claim.inputs_digest === before.inputs_digest && claim.result_digest === row.result_digest
  return same
    ? { step, state: 'ok', detail: `Taken again from state ${before.state.slice(0, 10)}…: the same digests.` }
    : { step, state: 'failed', detail: 'Its envelope seals another run than the trajectory has.' }
}

const outcomeOf = (steps: readonly VerificationStep[]): VerificationView => {
  const failing = steps.find((it) => it.state === 'failed')?.step
  if (failing !== undefined) return { outcome: 'failed', failing, steps }
  return { outcome: steps.some((it) => it.state === 'skipped') ? 'unchecked' : 'verified', steps }
}

/** Steps without envelopes leave nothing to be run here: the node takes them again, and says what it found. */
const rerunThere = async (
  session: PageSession,
  id: string,
  signal: AbortSignal,
): Promise<readonly VerificationStep[]> => {
  const asked = { reactor: id, limit: 1, rerun: true }
  const { rerun } = await session.call('GET /api/svc/reactor/trajectory', asked, { signal })
  const [from, to, differs] = [rerun?.from, rerun?.to, rerun?.differs_at ?? null]
  const detail =
    differs === null
      ? `Steps ${from} to ${to}, by the node: the same digests. Unsealed steps cannot be taken again in this browser.`
      : `At step ${differs} the node came to another digest.`
  return [{ step: 'run again', state: differs === null ? 'ok' : 'failed', detail }]
}

/**
 * Takes the second half of a trajectory again: in this browser where its steps are sealed, else at the node.
 *
 * @throws ApiProblem, NodeGone, or the signal's reason
 */
export const rerunHere = async (session: PageSession, id: string, { signal, tell }: Work) => {
  const { reactor, rows } = await readProved(session, id, { signal, tell: () => undefined })
  const from = Math.floor(reactor.step / 2)
  const subject = `${solverOf(reactor)}, from step ${from} to ${reactor.step}`
  if (!reactor.seal) return { found: outcomeOf(await rerunThere(session, id, signal)), subject }
  const steps: VerificationStep[] = []
  for (let k = from + 1; k <= reactor.step; k++) {
    const share = (part: number): void => tell((k - from - 1 + part) / (reactor.step - from))
    const pair = [rows[k - 1], rows[k]] as const as readonly [ReactorStep, ReactorStep]
    steps.push(await judgeStep(session, pair, { signal, tell: share }))
    if (steps.at(-1)?.state === 'failed') break
  }
  return { found: outcomeOf(steps), subject }
}
