import { MeshTime } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { ticksText } from '#ui/text/ago.ts'
import { bytesText } from '#ui/text/bytes.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { type ShownStream, type ShownStreamHead, ticksPerDay } from './channel.ts'

const Head = ({ head }: { readonly head: ShownStreamHead }) => (
  <>
    <FactBox name="error">
      {figure(head.errorPct)} %{head.errorSum !== head.errorPct && ` (${figure(head.errorSum)} % in this epoch)`}
    </FactBox>
    <FactBox name="receipt">
      <a href={`#receipt/${head.token_id}`} data-token={head.token_id}>
        <Short text={head.token_id} />
      </a>
    </FactBox>
    <FactBox name="sealed at">
      <MeshTime tick={head.mesh_tick} />
    </FactBox>
  </>
)

/** What a stream costs at an interval: credits and disk of a day, and how long the credits at hand last. */
export const costText = (
  price: number,
  interval: number,
  { available, tickBytes }: { readonly available: number | undefined; readonly tickBytes: number | undefined },
): string => {
  const perDay = ticksPerDay(interval)
  if (perDay === 0) return 'less than one tick a day'
  const disk = tickBytes === undefined ? '' : `, about ${bytesText(perDay * tickBytes)} of the node’s disk`
  const cost = `${(perDay * price).toLocaleString('en')} credits a day${disk}`
  if (available === undefined) return cost
  const lasts = Math.floor(available / price) * interval
  return `${cost}; your ${available.toLocaleString('en')} credits last ${ticksText(lasts)}`
}

/** Where a stream stands. */
export const StreamFacts = ({ stream }: { readonly stream: ShownStream }) => {
  const { head, epoch, count, sealed, missed, price, slug, next_due: due } = stream
  const value = head?.value ?? null
  return (
    <dl class="facts">
      <FactBox name="value">
        <b class="stream-value" aria-live="polite" data-value={value ?? undefined} title={String(value)}>
          {head === null && 'no tick yet'}
          {head !== null && (value === null ? 'no number' : withUnit(valueText(value), head.unit))}
        </b>
      </FactBox>
      {head !== null && <Head head={head} />}
      <FactBox name="tick">
        <span data-count={count} data-epoch={epoch}>
          {count} of epoch {epoch}
        </span>
        {sealed !== count && ` (${sealed} in all)`}
      </FactBox>
      <FactBox name="missed">
        <span data-missed={missed}>{missed}</span>
      </FactBox>
      <FactBox name="next due">{due === null ? 'it does not tick by itself' : <MeshTime tick={due} />}</FactBox>
      <FactBox name="price of a tick">{price} credits</FactBox>
      <FactBox name="machine">
        <a href={`#machine/${slug}`}>{slug}</a>
      </FactBox>
    </dl>
  )
}
