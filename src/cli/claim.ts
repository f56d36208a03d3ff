import type { ResultOf } from '#api/result-of.ts'
import { CHALLENGE_TICKS } from '#core/proof-of-work.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { MS_PER_SECOND, SECONDS_PER_HOUR } from '#core/time.ts'
import { pause } from '#core/wait.ts'
import type { WorkProgress } from '#core/work-crew.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { claimThreads, workInThreads } from './claim-work.ts'
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

/** Challenges that are worked on before it is given up: one lapses after a minute and a half, or at midnight. */
const ATTEMPTS_MAX = 20
/** Whoever waits for midnight asks the node again so often: its clock counts, and it may be set. */
const ASK_EVERY_SECONDS = 60
const MS_PER_CHALLENGE = CHALLENGE_TICKS * TICK_SECONDS * MS_PER_SECOND

/** A span as people say it. @param seconds whole ones */
export const spanText = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / SECONDS_PER_HOUR), Math.floor((seconds % SECONDS_PER_HOUR) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

/** Says of a claim that is not open when it will be. */
export const claimText = ({ claim }: Status): string => {
  const { state, unlocks_at: at, unlocks_in_seconds: seconds, balance_max: most, challenge } = claim
  const when = at === null || seconds === null ? '' : `; opens in ${spanText(seconds)}, at ${at}`
  if (state === 'unlocks when nearly out') return `${state}: at ${most} credits or fewer`
  if (state === 'claimable' && challenge === null) return `this address has had its claims of the hour${when}`
  return `${state}${when}`
}

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

type Challenge = NonNullable<Status['claim']['challenge']>

/** Asks until there is a challenge: no work is done before the node says that it would be paid. */
const challengeFor = async ({ client, machine, wait, io, signal }: ClaimWish): Promise<Challenge> => {
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

/** Works on one challenge. @returns nothing when its time is over before there is a nonce. */
const solve = async ({ io, signal }: ClaimWish, work: Challenge): Promise<string | undefined> => {
  const over = AbortSignal.timeout(MS_PER_CHALLENGE)
  let told = false
  const tell = (now: WorkProgress): void => {
    const line = workLine(work.bits, now)
    if (!told) io.say(`${line}, on ${claimThreads()} threads`)
    told = true
    io.redraw(line)
  }
  try {
    return await workInThreads(work, { signal: AbortSignal.any([signal, over]), tell })
  } catch (error) {
    if (!signal.aborted && over.aborted) return undefined
    throw error
  } finally {
    io.redraw('')
  }
}

/** Whether a challenge has only come too late: of a day that is over, or of too long ago. */
const isLate = (error: unknown): boolean =>
  error instanceof NodeRefusal &&
  error.code === 'INVALID_INPUT' &&
  ('day' in error.problem || 'expires_mesh_tick' in error.problem)

/**
 * Claims the credits of the day: asks whether it is open, works, answers. Who interrupts it before the answer is sent
 * has spent nothing; once it is on its way its end is waited for.
 *
 * @throws CliError where nothing is to be claimed; NodeRefusal, NodeUnreachable, the signal's reason.
 */
export const claimCredits = async (wish: ClaimWish): Promise<Claimed> => {
  const { client, machine } = wish
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { challenge, ...work } = await challengeFor(wish)
    const nonce = await solve(wish, { challenge, ...work })
    if (nonce === undefined) continue
    wish.signal.throwIfAborted()
    try {
      return await client.call('economy.claim', { challenge, nonce, ...(machine !== undefined && { machine }) })
    } catch (error) {
      if (!isLate(error)) throw error
    }
  }
  throw new CliError(exits.tryLater, `${ATTEMPTS_MAX} challenges lapsed before they were solved`, { code: 'TOO_SLOW' })
}
