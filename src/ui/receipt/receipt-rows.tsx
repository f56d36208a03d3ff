import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { When } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { Term } from '#ui/part/term.tsx'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { timeOf, timeText } from '#ui/text/time.ts'
import { StateBadge, stateMeaning } from './state-badge.tsx'

interface Props {
  readonly envelope: EnvelopeSummary
  readonly check?: { readonly against: string } | null | undefined
  /** The stamp of the pulse, where the answer or the bundle is at hand. */
  readonly stamp?: { readonly R_t: string } | null | undefined
}

/** The operators behind a result; the first is the same in every receipt. */
const Operators = ({ ids: [kernel, ...rest] }: { readonly ids: readonly string[] }) => (
  <>
    {kernel !== undefined && (
      <Term word={kernel}>
        The pulse of the node: it stands first in every receipt, puts the time stamp on it, and leaves the value as it
        is.
      </Term>
    )}
    {rest.length > 0 && ' '}
    <OperatorLinks ids={rest} />
  </>
)

const Price = ({ envelope: { face_value: price, funding, soulbound } }: Pick<Props, 'envelope'>) => (
  <>
    {price} {funding} {price === 1 ? 'credit' : 'credits'}, its{' '}
    <Term word="face value">What was paid for the run stays written on its receipt, as the number on a coin does.</Term>
    {soulbound && (
      <>
        {', '}
        <Term word="soulbound">
          Paid with free credits, so it stays with whoever computed it and cannot be handed on.
        </Term>
      </>
    )}
  </>
)

const Owner = ({ envelope: { issued_to: owner } }: Pick<Props, 'envelope'>) =>
  owner === 'house' ? (
    <Term word="the house">
      Made without an account: it is kept in the node’s own name, and whoever has its link can read it.
    </Term>
  ) : (
    <Short text={owner} />
  )

const TimeStamp = ({ envelope, stamp }: Props) => {
  const { tick, phase } = envelope
  return (
    <details class="stamp">
      <summary>Time stamp</summary>
      <dl>
        <Fact name="time">{timeText(timeOf(envelope))}, as the node’s own clock had it</Fact>
        <Fact name="tick">
          {tick}, phase {phase.toFixed(3)}
        </Fact>
        {stamp !== undefined && stamp !== null && (
          <Fact name="R(t)">
            {stamp.R_t} <span class="about">a stamp of that moment, beside the value: the value is the value</span>
          </Fact>
        )}
      </dl>
    </details>
  )
}

/** What a receipt says, in plain words. */
export const ReceiptRows = ({ envelope, check, stamp }: Props) => (
  <>
    <dl>
      {envelope.value !== null && (
        <Fact name="value">
          <span title={String(envelope.value)}>{withUnit(valueText(envelope.value), envelope.unit)}</span>
        </Fact>
      )}
      <Fact name="measured error">
        {figure(envelope.precisionActual)} %
        {check?.against !== undefined && <span class="about"> against {check.against}</span>}
      </Fact>
      <Fact name="sealed">
        <When {...envelope} /> <StateBadge state={envelope.state} />{' '}
        <span class="about">{stateMeaning(envelope.state)}</span>
      </Fact>
      {envelope.witnessed > 0 && (
        <Fact name="witnessed">
          by {envelope.witnessed} {envelope.witnessed === 1 ? 'other node' : 'other nodes'}
        </Fact>
      )}
      <Fact name="price">
        <Price envelope={envelope} />
      </Fact>
      <Fact name="belongs to">
        <Owner envelope={envelope} />
      </Fact>
      <Fact name="operators">
        <Operators ids={envelope.operators} />
      </Fact>
      <Fact name="place in the log">
        <a href={`#log/seal/leaf/${envelope.index}`}>leaf {envelope.index}</a>, hash <Short text={envelope.hash} />
      </Fact>
      <Fact name="token">
        <code>{envelope.token_id}</code>
      </Fact>
    </dl>
    <TimeStamp envelope={envelope} stamp={stamp} />
  </>
)
