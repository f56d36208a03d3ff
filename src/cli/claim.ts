import type { ResultOf } from '#api/result-of.ts'
import type { WorkToDo } from '#core/proof-of-work.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { pause } from '#core/wait.ts'
import { type WorkProgress, workAndAnswer } from '#core/work-crew.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { claimText } from './claim-text.ts'
import { claimThreads, startThread } from './claim-work.ts'
import { exits } from './exit.ts'
import type { Io } from './io.ts'
import { CliError } from './problem.ts'

type Status = ResultOf<'economy.credits'>
type Claimed = ResultOf<'economy.claim'>

/** What `credits claim` was told. */
export interface ClaimWish {
  readonly client: Client
  readonly machine: string | undefined
  /** Whether to wait for the next UTC day where this one is claimed. */
  readonly wait: boolean
  readonly io: Io
  readonly signal: AbortSignal
}

/** Whoever waits for midnight asks the node again so often: its clock counts, and it may be set. */
const ASK_EVERY_SECONDS = 60

const notEligible = (status: Status): CliError => {
  const { state, unlocks_at, balance_max } = status.claim
  if (state === 'for accounts only') {
    const message = 'only an account claims credits; sign up for one, or give its key in TICKMESH_KEY'
    return new CliError(exits.failure, message, { code: 'SCOPE_REQUIRED' })
  }
  const code = state === 'claimable' ? 'RATE_LIMITED' : 'NOT_ELIGIBLE'
  return new CliError(exits.failure, `nothing to claim: ${claimText(status)}`, {
    code,
    details: { state, unlocks_at, balance_max },
  })
}

/** Asks until there is a challenge: no work is done before the node says that it would be paid. */
const challengeFor = async ({ client, machine, wait, io, signal }: ClaimWish): Promise<WorkToDo> => {
  for (let told = false; ; told = true) {
    const status = await client.call('economy.credits', machine === undefined ? {} : { machine }, { signal })
    const { challenge, unlocks_in_seconds: seconds } = status.claim
    if (challenge !== null) return challenge
    if (!wait || seconds === null) throw notEligible(status)
    if (!told) io.say(`${claimText(status)}; waiting`)
    await pause(Math.min(seconds, ASK_EVERY_SECONDS) * MS_PER_SECOND, signal)
  }
}

/** The meter in one line. Pure, so that its form can be tested. */
export const workLine = (bits: number, { tried, perSecond, expectedSeconds }: WorkProgress): string => {
  const expected = expectedSeconds < 1 ? 'under a second' : `about ${Math.ceil(expectedSeconds)} s`
  const speed = `${(perSecond / 1e6).toFixed(2)} million hashes a second`
  return `${bits} bits of work: ${expected} expected, ${(tried / 1e6).toFixed(1)} million hashes done, ${speed}`
}

/** Shows how the work goes: a line at the first measurement, which is then redrawn. */
const teller = (io: Io) => {
  let told = false
  return (bits: number, now: WorkProgress): void => {
    const line = workLine(bits, now)
    if (!told) io.say(`${line}, on ${claimThreads()} threads`)
    told = true
    io.redraw(line)
  }
}

/**
 * Claims the credits of the day: asks whether it is open, works, answers.
 *
 * @throws CliError where nothing is to be claimed; NodeRefusal, NodeUnreachable, the signal's reason.
 */
export const claimCredits = async (wish: ClaimWish): Promise<Claimed> => {
  const { client, machine, io, signal } = wish
  const tell = teller(io)
  let bits = 0
  const ask = async (): Promise<WorkToDo> => {
    const work = await challengeFor(wish)
    bits = work.bits
    return work
  }
  try {
    const search = { lanes: claimThreads(), start: startThread, signal, tell: (now: WorkProgress) => tell(bits, now) }
    const claimed = await workAndAnswer({
      ask,
      answer: (found) => client.call('economy.claim', { ...found, ...(machine !== undefined && { machine }) }),
      refusalOf: (error) => (error instanceof NodeRefusal ? { ...error.problem } : undefined),
      after: (ms) => AbortSignal.timeout(ms),
      search,
    })
    if (claimed !== undefined) return claimed
  } finally {
    io.redraw('')
  }
  throw new CliError(exits.tryLater, 'challenge after challenge lapsed before it was solved', { code: 'TOO_SLOW' })
}
