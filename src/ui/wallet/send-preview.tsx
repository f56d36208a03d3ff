import { useEffect, useRef } from 'preact/hooks'
import { zidEnd } from '#core/zid-text.ts'
import { Fact } from '#ui/part/fact.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { Refusal } from '#ui/view/refusal.tsx'
import { type Chosen, type SortedChoice, sorted } from './selection.ts'
import { SendRemedies } from './send-remedies.tsx'
import type { Sending } from './use-send.ts'
import { envelopesText, homeText } from './wallet.ts'

/** Tokens that are named where some stay. */
const NAMED_MAX = 5

const namesOf = (items: readonly Chosen[]): string => {
  const names = items.slice(0, NAMED_MAX).map((it) => `${it.kind} ${it.token_id.slice(0, 8)}`)
  return [...names, ...(items.length > NAMED_MAX ? [`${items.length - NAMED_MAX} more`] : [])].join(', ')
}

/** Where the recipient is at home, as far as this node knows: read for each preview. */
const AtHome = ({ session, zid }: { readonly session: PageSession; readonly zid: string }) => {
  const { value, problem } = useReading((signal) => session.call('GET /api/identity', { zid }, { signal }), {
    on: [zid, session],
  })
  const place = value?.place
  if (problem !== undefined) return <Fact name="at home">not known: the node did not say</Fact>
  if (place === undefined) return <Fact name="at home">…</Fact>
  if (place.node === null) {
    return (
      <Fact name="at home">
        <span class="wrong">nowhere that is known here: no account of this node, and no node has told of it</span>
      </Fact>
    )
  }
  return <Fact name="at home">{place.here ? 'this node' : <code class="wrap">node {place.node}</code>}</Fact>
}

const Staying = ({ of: { soulbound, locked, unconfirmed } }: { readonly of: SortedChoice }) => (
  <>
    {soulbound.length > 0 && (
      <Fact name="left out">
        {envelopesText(soulbound.length)}, soulbound: what free credits bought stays with you ({namesOf(soulbound)})
      </Fact>
    )}
    {locked.length > 0 && (
      <Fact name="left out">
        {envelopesText(locked.length)}, locked by a vote, a bond or a package ({namesOf(locked)})
      </Fact>
    )}
    {unconfirmed.length > 0 && (
      <Fact name="left out">
        {envelopesText(unconfirmed.length)} whose home has not answered lately ({namesOf(unconfirmed)})
      </Fact>
    )}
  </>
)

interface Props {
  readonly session: PageSession
  readonly sending: Sending
  /** Whether moves to or from this ZID are known here. */
  readonly known: boolean
  /** Reads the list of envelopes anew, since it is not what it was. */
  readonly onStale: () => void
}

/** A ZID with its end apart, as it is compared. */
const Zid = ({ zid }: { readonly zid: string }) => (
  <code>
    {zid.slice(0, -zidEnd(zid).length)}
    <mark>{zidEnd(zid)}</mark>
  </code>
)

/** What sending would do, before it is done. */
export const SendPreview = ({ session, sending, known, onStale }: Props) => {
  const { preview, busy, problem, confirm, back } = sending
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  if (preview === undefined) return null
  const { order, to } = preview
  const parts = order.kind === 'chosen' ? sorted(order.chosen) : undefined
  const [count, weight] =
    order.kind === 'count' ? [order.count, undefined] : [parts?.movable.length ?? 0, parts?.weight ?? 0]
  const homes = parts?.homes ?? []
  return (
    <section class="wallet-preview" aria-label="Preview">
      <h4 ref={head} tabIndex={-1}>
        This will be sent
      </h4>
      <dl>
        <Fact name="envelopes">
          {count}
          {order.kind === 'count' && <span class="about"> drawn at random among those that can be sent</span>}
        </Fact>
        {weight !== undefined && <Fact name="weight">{weight} (the sum of their faces)</Fact>}
        <Fact name="to">
          <Zid zid={to} />{' '}
          <span class="about">
            {known ? 'you have moved envelopes with it before' : 'nothing has moved between you and it yet'}
          </span>
        </Fact>
        <AtHome session={session} zid={to} />
        {homes.length > 0 && (
          <Fact name="home of what is sent">{homes.map((it) => homeText(it, session)).join(', ')}</Fact>
        )}
        {parts !== undefined && <Staying of={parts} />}
      </dl>
      {homes.length > 1 && (
        <p class="wrong">One sending is of one home. Choose the envelopes of one home by the filter, and send each.</p>
      )}
      <p class="about">All of them go, or none. What was sent comes back only if its new owner sends it.</p>
      <div class="actions">
        <button type="button" class="primary" disabled={busy || count === 0 || homes.length > 1} onClick={confirm}>
          {busy ? 'Sending …' : `Send ${envelopesText(count)} to …${zidEnd(to)}`}
        </button>
        <button type="button" disabled={busy} onClick={back}>
          Change it
        </button>
      </div>
      {count === 0 && <p class="wrong">Nothing of what is chosen can be sent.</p>}
      {problem !== undefined && (
        <Refusal id="wallet-refused" problem={problem} before={false}>
          <SendRemedies sending={sending} problem={problem} onStale={onStale} />
        </Refusal>
      )}
    </section>
  )
}
