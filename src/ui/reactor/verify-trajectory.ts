import { machineIdHash } from '#core/machine.ts'
import { verifyEntry } from '#core/machine-proof.ts'
import { trajectoryWalk } from '#core/reactor.ts'
import { provenPast } from '#core/succession.ts'
import { breathe } from '#core/wait.ts'
import type { VerificationStep, VerificationView } from '#ui/part/verdict.tsx'
import { figure } from '#ui/text/numbers.ts'
import { ERROR_PCT_BOUND, type ProvedStep, type Reactor } from './reactor.ts'

export interface Evidence {
  readonly reactor: Reactor
  readonly rows: readonly ProvedStep[]
  /** Whom this browser trusts, and the keys that came before. */
  readonly trusted: string
  readonly past: unknown
}

const ok = (step: string, detail: string): VerificationStep => ({ step, state: 'ok', detail })
const failed = (step: string, detail: string): VerificationStep => ({ step, state: 'failed', detail })

const FOLLOWED = 'Who may only follow is not told what the digests are made of.'

/** Entries that are looked at between two breaths of the page. */
const ENTRIES_PER_BREATH = 16

/** Digests that link, numbers without a gap, errors that add up to what is said. */
const judgeDigests = ({ reactor, rows }: Evidence): readonly VerificationStep[] => {
  const walk = trajectoryWalk(reactor.contract)
  for (const row of rows) {
    const { inputs_digest } = row
    if (inputs_digest === null) return [{ step: 'digests', state: 'skipped', detail: FOLLOWED }]
    walk.step({ ...row, inputs_digest })
  }
  const { valid, count, broken } = walk.verdict()
  const last = rows.at(-1)
  if (!valid) return [failed('digests', `At step ${broken?.step}: ${broken?.why}.`)]
  if (last === undefined || last.state !== reactor.state || last.errorSum !== reactor.errorSum) {
    return [failed('digests', 'The last step is not where the reactor is said to stand.')]
  }
  const digests = ok('digests', `${count} states, each bound by the digest after it, to ${reactor.state}.`)
  const sum = `The errors add up to ${figure(last.errorSum)} %`
  if (!reactor.seal) return [digests, ok('errors', `${sum}; nothing is sealed.`)]
  const within = last.errorSum <= ERROR_PCT_BOUND
  const detail = `${sum}, ${within ? 'within' : 'above'} ${ERROR_PCT_BOUND} %.`
  return [digests, within ? ok('errors', detail) : failed('errors', detail)]
}

/** Whether an entry says of a step what its row says. */
const saysSame = ({ reactor }: Evidence, row: ProvedStep): boolean => {
  const body = row.entry?.entry.body as Readonly<Record<string, unknown>> | undefined
  if (body?.['reactor'] !== reactor.id || body['contract'] !== reactor.contract) return false
  if (body['step'] !== row.step || body['state'] !== row.state) return false
  return row.step === 0 || (body['errorSum'] === row.errorSum && body['previous'] === row.previous)
}

/** The entries: what they say, and each one's place in the chain and in the node's signed log. */
const judgeEntries = async (evidence: Evidence): Promise<readonly VerificationStep[]> => {
  const { reactor, rows, trusted, past } = evidence
  if (reactor.machine === null) {
    const detail = 'It has no machine, as under a demo key: no chain says when its steps were taken.'
    return [{ step: 'entries', state: 'skipped', detail }]
  }
  const trust = { trusted, successions: provenPast(past) }
  let steps: readonly VerificationStep[] = []
  for (const row of rows) {
    if (row.step % ENTRIES_PER_BREATH === 0) await breathe()
    if (row.entry === null || !saysSame(evidence, row)) {
      return [failed('entries', `The entry of step ${row.step} in the chain says something else.`)]
    }
    const { slug, genesis_hash: genesis, entry, hash: stateHash } = row.entry
    if (slug !== reactor.machine || machineIdHash(slug, genesis) !== reactor.id_hash) {
      return [failed('identity', `The entry of step ${row.step} is of another machine.`)]
    }
    const { seq, previous: prevHash, tick: tickNumber, type: transitionType, body } = entry
    const shown = { slug, genesis, row: { seq, prevHash, tickNumber, transitionType, body, stateHash } }
    const found = verifyEntry(shown, row.entry, trust)
    steps = found.steps.map((it) => ({ ...it, detail: `Step ${row.step}: ${it.detail}` }))
    if (found.outcome !== 'verified') return steps
  }
  return [ok('entries', `${rows.length} entries of ${reactor.machine} say the same states and errors.`), ...steps]
}

/** Verifies a trajectory by arithmetic alone, in this browser. Never throws on a bad answer. */
export const verifyTrajectory = async (evidence: Evidence): Promise<VerificationView> => {
  const digests = judgeDigests(evidence)
  const steps = digests.some((it) => it.state === 'failed') ? digests : [...digests, ...(await judgeEntries(evidence))]
  const failing = steps.find((it) => it.state === 'failed')?.step
  if (failing !== undefined) return { outcome: 'failed', failing, steps }
  return { outcome: steps.some((it) => it.state === 'skipped') ? 'unchecked' : 'verified', steps }
}
