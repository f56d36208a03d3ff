import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { parseIsoMs } from '#core/iso.ts'
import { Fact } from '#ui/part/fact.tsx'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { timeText } from '#ui/text/time.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type ClaimControl, type ClaimState, useClaim } from './use-claim.ts'

type Status = ResultAt<'GET /api/credits/status'>

/** Another tab may spend or claim, and midnight comes. */
const READ_EVERY_MS = 10_000
const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

/** How long until something, as people say it. */
const inText = (seconds: number): string => {
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE)
  if (minutes < MINUTES_PER_HOUR) return `in ${minutes} min`
  return `in ${Math.floor(minutes / MINUTES_PER_HOUR)} h ${minutes % MINUTES_PER_HOUR} min`
}

/** Says whether the claim is open, and if it is not, when it will be. */
export const stateText = ({ claim }: Status): string => {
  const { state, unlocks_at: at, unlocks_in_seconds: seconds, balance_max: most, worth, challenge } = claim
  const when = at === null || seconds === null ? '' : ` ${inText(seconds)}, ${timeText(parseIsoMs(at) ?? 0)}`
  if (state === 'for accounts only') return 'Only an account can claim: make one, or sign in, under Settings.'
  if (state === 'already claimed today') return `Already claimed today. The next claim opens${when}.`
  if (state === 'unlocks when nearly out') return `Unlocks when nearly out: at ${most} credits or fewer.`
  if (challenge === null) return `Claimable, but your address has had its claims of this hour. It opens again${when}.`
  return `Claimable: ${worth} free credits for some seconds of work of this browser.`
}

const secondsText = (seconds: number): string => (seconds < 1 ? 'under a second' : `about ${Math.ceil(seconds)} s`)

/** How the work goes. The bar shows how many of such searches would be over by now. */
const Meter = ({ of: { working, sinceMs } }: { readonly of: ClaimState }) => {
  if (working === undefined) return <p class="about">measuring how fast this browser works …</p>
  const { bits, perSecond, expectedSeconds } = working
  const gone = (performance.now() - sinceMs) / 1_000
  return (
    <div class="job">
      <progress value={1 - Math.exp(-gone / expectedSeconds)} max={1} aria-label="work" />
      <span class="about">
        {bits} bits of work: {secondsText(expectedSeconds)} expected, {Math.floor(gone)} s so far,{' '}
        {(perSecond / 1e6).toFixed(2)} million hashes a second
      </span>
    </div>
  )
}

const Actions = ({ status, claim }: { readonly status: Status; readonly claim: ClaimControl }) => (
  <div class="actions">
    <button
      type="button"
      class="primary"
      onClick={claim.start}
      disabled={claim.busy || status.claim.challenge === null}
    >
      Claim {status.claim.worth} credits
    </button>
    {claim.busy && (
      <button type="button" onClick={claim.cancel}>
        Cancel
      </button>
    )}
  </div>
)

/** Credits of whoever the page acts as, and the daily claim. */
export const Claim = ({ session, runs }: { readonly session: PageSession; readonly runs: number }) => {
  const [claims, count] = useState(0)
  const claim = useClaim(session, () => {
    count((it) => it + 1)
    session.settled()
  })
  const { self } = session
  const visitor = isVisitor(self)
  const { value, problem } = useReading(
    (signal) => (visitor ? Promise.resolve(undefined) : session.call('GET /api/credits/status', {}, { signal })),
    { everyMs: visitor ? undefined : READ_EVERY_MS, on: [session, self.kind, self.key, runs, claims] },
  )
  return (
    <section class="card" aria-label="Credits">
      <h3>Credits</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {visitor && <p>Only an account can claim: make one, or sign in, under Settings.</p>}
      {value !== undefined && (
        <>
          <dl>
            <Fact name="balance">
              {value.free} free, {value.paid} paid
            </Fact>
            <Fact name="daily claim">
              <span data-claim={value.claim.state}>{stateText(value)}</span>
            </Fact>
            <Fact name="claims so far">{value.claim.prior_claims}</Fact>
            {value.claim.machine !== null && (
              <Fact name="machine">
                {value.claim.machine} <span class="about">its day is spent with yours</span>
              </Fact>
            )}
          </dl>
          {value.claim.state !== 'for accounts only' && <Actions status={value} claim={claim} />}
        </>
      )}
      {claim.busy && <Meter of={claim} />}
      <p class="about said" role="status">
        {claim.said}
      </p>
      {claim.problem !== undefined && <ProblemCard problem={claim.problem} />}
    </section>
  )
}
