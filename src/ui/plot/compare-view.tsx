import { type Query, spellAddress } from '#ui/address.ts'
import { RowTable } from '#ui/part/row-table.tsx'
import { fetchEvidence } from '#ui/receipt/evidence.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { timeOf, timeText } from '#ui/text/time.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ComparePlots } from './compare-plots.tsx'
import { inputDifferences, percentApart } from './input-differences.ts'

/** Receipts that may be picked, the newest first. */
const PICKED_MAX = 100

/** A receipt as its bundle has it. */
interface Evidence {
  readonly envelope: {
    readonly claim: {
      readonly kind: string
      readonly value: number | null
      readonly unit: string
      readonly precisionActual?: number
    }
  }
  readonly inputs?: object
  readonly result?: { readonly output: object }
}

/** A bundle, opened by its nonce where the address has one. */
const readBundle = async (session: PageSession, token: string, nonce: string | undefined, signal: AbortSignal) =>
  JSON.parse(await (await fetchEvidence(session, { token, nonce }, signal)).text()) as Evidence

interface Props {
  readonly session: PageSession
  readonly query: Query
}

type Side = 'a' | 'b'

/** A receipt of one's own to compare with. */
const Picker = ({ session, query, side }: Props & { readonly side: Side }) => {
  const { zid, key } = session.self
  const { value: page } = useReading(
    (signal) => session.call('GET /api/tally/envelopes/{zid}', { zid, limit: PICKED_MAX }, { signal }),
    { on: [session, zid, key] },
  )
  const chosen = query[side] ?? ''
  const known = page?.envelopes.some((it) => it.token_id === chosen) === true
  const go = (token: string): void => {
    location.hash = spellAddress('compare', { ...query, [side]: token, [`nonce_${side}`]: '' })
  }
  return (
    <p class="form-row">
      <label>
        Receipt {side.toUpperCase()}{' '}
        <select value={chosen} onChange={(event) => go(event.currentTarget.value)}>
          <option value="">choose …</option>
          {chosen !== '' && !known && <option value={chosen}>{chosen.slice(0, 12)}…</option>}
          {page?.envelopes.map((it) => (
            <option key={it.token_id} value={it.token_id}>
              {it.kind}, {timeText(timeOf(it))}, {it.token_id.slice(0, 8)}…
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}

const Inputs = ({ a, b }: { readonly a: Evidence; readonly b: Evidence }) => {
  const rows = inputDifferences(a.inputs, b.inputs)
  if (rows.length === 0) return <p class="card about">The inputs are the same.</p>
  return (
    <RowTable heads={['input', 'A', 'B']} look="inputs">
      {rows.map((row) => (
        <tr key={row.path} data-input={row.path}>
          <td data-label="input">{row.path}</td>
          <td data-label="A">{row.a}</td>
          <td data-label="B">{row.b}</td>
        </tr>
      ))}
    </RowTable>
  )
}

/** The figures of an output that are numbers, in which the two differ or not. */
const figuresOf = (a: Evidence, b: Evidence) => {
  const [ofA, ofB] = [a.result?.output ?? {}, b.result?.output ?? {}] as const
  const other = new Map(Object.entries(ofB))
  return [
    { name: 'value', a: a.envelope.claim.value, b: b.envelope.claim.value, unit: a.envelope.claim.unit },
    ...Object.entries(ofA).map(([name, value]) => ({ name, a: value as unknown, b: other.get(name), unit: '' })),
  ].filter(
    (it): it is { name: string; a: number; b: number; unit: string } =>
      typeof it.a === 'number' && typeof it.b === 'number',
  )
}

const Figures = ({ a, b }: { readonly a: Evidence; readonly b: Evidence }) => (
  <RowTable heads={['figure', 'A', 'B', 'B − A in %']} look="figures">
    {figuresOf(a, b).map((it) => {
      const apart = percentApart(it.a, it.b)
      return (
        <tr key={it.name} data-figure={it.name}>
          <td data-label="figure">{it.name}</td>
          <td data-label="A">{withUnit(valueText(it.a), it.unit)}</td>
          <td data-label="B">{withUnit(valueText(it.b), it.unit)}</td>
          <td data-label="B − A in %">{apart === undefined ? '' : figure(apart)}</td>
        </tr>
      )
    })}
  </RowTable>
)

const Compared = ({ a, b, tokens }: { readonly a: Evidence; readonly b: Evidence; readonly tokens: string[] }) => {
  const { kind } = a.envelope.claim
  if (kind !== b.envelope.claim.kind) {
    return (
      <p class="card about" role="status">
        A is of {kind} and B of {b.envelope.claim.kind}: only receipts of one solver are compared.
      </p>
    )
  }
  const [ofA, ofB] = [a, b].map(({ inputs, result }) =>
    inputs === undefined || result === undefined ? undefined : { input: inputs, answer: result.output as JobAnswer },
  )
  const source = { title: kind, note: `A ${tokens[0]}, B ${tokens[1]}`, stem: [kind, 'compared', ...tokens] }
  return (
    <section class="card result" aria-label="Comparison">
      <Figures a={a} b={b} />
      {ofA !== undefined && ofB !== undefined && <ComparePlots name={kind} a={ofA} b={ofB} source={source} />}
    </section>
  )
}

/** Two receipts of one solver: what was asked differently, what came of it, and their plots together. */
export const CompareView = ({ session, query }: Props) => {
  const { a = '', b = '', nonce_a, nonce_b } = query
  const { value, problem } = useReading(
    async (signal) => {
      if (a === '' || b === '') return undefined
      const found = await Promise.all([
        readBundle(session, a, nonce_a || undefined, signal),
        readBundle(session, b, nonce_b || undefined, signal),
      ])
      return { of: `${a} ${b}`, found }
    },
    { on: [session, a, b, nonce_a, nonce_b] },
  )
  const [one, other] = value?.of === `${a} ${b}` ? value.found : []
  return (
    <article>
      <p class="crumb">
        <a href="#envelopes">All receipts</a>
      </p>
      <h2>Compare two receipts</h2>
      <p class="lead">Of one solver: what was asked differently, the figures, and the plots on the same axes.</p>
      <div class="card form-grid two">
        <Picker session={session} query={query} side="a" />
        <Picker session={session} query={query} side="b" />
      </div>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {one !== undefined && other !== undefined && (
        <>
          <Inputs a={one} b={other} />
          <Compared a={one} b={other} tokens={[a, b]} />
        </>
      )}
    </article>
  )
}
