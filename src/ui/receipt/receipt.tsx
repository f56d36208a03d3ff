import { useEffect, useMemo, useState } from 'preact/hooks'
import type { EnvelopeSummary, JobAnswer } from '#ui/server/answer.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { repeat } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { EnvelopeActions } from './envelope-actions.tsx'
import { readEnvelope } from './evidence.ts'
import { ReceiptRows } from './receipt-rows.tsx'

export { StateBadge } from './state-badge.tsx'

/** An envelope that is read anew until it is final. */
const useFresh = (session: PageSession, given: EnvelopeSummary): EnvelopeSummary => {
  const [envelope, show] = useState(given)
  const { token_id: token } = given
  const waits = envelope.state !== 'final'
  // Whoever this browser becomes meanwhile may not see what it sealed before.
  const sealer = useMemo(() => session.self, [token])
  useEffect(() => show(given), [given])
  useEffect(() => {
    if (!waits) return
    const over = new AbortController()
    const read = (): void => {
      if (session.self === sealer) readEnvelope(session, { token }, over.signal).then(show, () => undefined)
    }
    const stop = repeat(read, TICK_MS)
    return () => {
      over.abort()
      stop()
    }
  }, [session, sealer, token, waits])
  return envelope
}

interface Props {
  readonly envelope: EnvelopeSummary
  /** The value as the answer has it; what the envelope repeats of it where left out. */
  readonly value?: { readonly value: number | null; readonly unit: string }
  readonly check?: JobAnswer['check']
  readonly stamp?: JobAnswer['tick_receipt']
  readonly session: PageSession
}

const pick = ({ value, unit }: NonNullable<Props['value']>) => ({ value, unit })

/** One receipt: what was measured, where it stands, and what can be done with it. */
export const Receipt = ({ envelope: given, value, check, stamp, session }: Props) => {
  const envelope = useFresh(session, given)
  return (
    <section class="card receipt" aria-label="Receipt" data-token={envelope.token_id}>
      <h3>Receipt</h3>
      <ReceiptRows envelope={{ ...envelope, ...(value !== undefined && pick(value)) }} check={check} stamp={stamp} />
      <EnvelopeActions envelope={envelope} session={session}>
        <a class="button" href={`#receipt/${envelope.token_id}`}>
          Page of this receipt
        </a>
      </EnvelopeActions>
    </section>
  )
}
