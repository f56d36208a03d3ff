import { useEffect, useState } from 'preact/hooks'
import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { Fact } from '#ui/part/fact.tsx'
import type { EnvelopeSummary, JobAnswer } from '#ui/server/answer.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { repeat } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { EnvelopeActions } from './envelope-actions.tsx'
import { readEnvelope } from './evidence.ts'

const stateWords = {
  promised: 'signed; its checkpoint follows on the next tick',
  sealed: 'under a signed checkpoint',
  final: 'sealed for a whole tick',
} as const

/** Where an envelope stands, in a word. */
export const StateBadge = ({ state }: { readonly state: EnvelopeSummary['state'] }) => (
  <span class={`badge ${state}`} data-state={state} title={stateWords[state]}>
    {state}
  </span>
)

/** An envelope that is read anew until it is final. */
const useFresh = (session: PageSession, given: EnvelopeSummary): EnvelopeSummary => {
  const [envelope, show] = useState(given)
  const { token_id: token } = given
  const waits = envelope.state !== 'final'
  useEffect(() => show(given), [given])
  useEffect(() => {
    if (!waits) return
    const over = new AbortController()
    const read = (): void => void readEnvelope(session, token, over.signal).then(show, () => undefined)
    const stop = repeat(read, TICK_MS)
    return () => {
      over.abort()
      stop()
    }
  }, [session, token, waits])
  return envelope
}

const Rows = ({ envelope, value, check }: Omit<Props, 'session'>) => (
  <dl>
    {value !== undefined && value.value !== null && (
      <Fact name="value">
        <span title={String(value.value)}>{withUnit(valueText(value.value), value.unit)}</span>
      </Fact>
    )}
    <Fact name="measured error">
      {figure(envelope.precisionActual)} %
      {check?.against !== undefined && <span class="about"> against {check.against}</span>}
    </Fact>
    <Fact name="operators">
      <OperatorLinks ids={envelope.operators} />
    </Fact>
    <Fact name="tick">
      {envelope.tick}, phase {envelope.phase.toFixed(3)} <StateBadge state={envelope.state} />{' '}
      <span class="about">{stateWords[envelope.state]}</span>
    </Fact>
    {envelope.witnessed > 0 && (
      <Fact name="witnessed">
        by {envelope.witnessed} {envelope.witnessed === 1 ? 'other node' : 'other nodes'}
      </Fact>
    )}
    <Fact name="face value">
      {envelope.face_value} credits, {envelope.funding}
      {envelope.soulbound && ', soulbound'}
      <span class="about">
        {' '}
        issued to <code>{envelope.issued_to}</code>
      </span>
    </Fact>
    <Fact name="leaf">
      {envelope.index} <code>{envelope.hash}</code>
    </Fact>
    <Fact name="token">
      <code>{envelope.token_id}</code>
    </Fact>
  </dl>
)

interface Props {
  readonly envelope: EnvelopeSummary
  readonly value?: { readonly value: number | null; readonly unit: string }
  readonly check?: JobAnswer['check']
  readonly session: PageSession
}

/** One envelope: what was measured, where it stands, and what can be done with it. */
export const Receipt = ({ envelope: given, value, check, session }: Props) => {
  const envelope = useFresh(session, given)
  return (
    <section class="card receipt" aria-label="Receipt" data-token={envelope.token_id}>
      <h3>Receipt</h3>
      <Rows envelope={envelope} {...(value !== undefined && { value })} {...(check !== undefined && { check })} />
      <EnvelopeActions envelope={envelope} session={session} />
    </section>
  )
}
