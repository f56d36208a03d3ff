import type { SimulatedOutcome } from '#numerics/contracts/fire/simulation.ts'
import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { ticksText } from '#ui/text/ago.ts'

const outcomeClass = { fired: 'sealed', refused: 'bad', none: 'final' } as const
const byWords = { clock: 'the clock', event: 'an event', call: 'the fire before', hand: 'somebody' } as const
/** Pieces of JSON that are shown. */
const JSON_CHARS_MAX = 400

const jsonText = (value: unknown): string => JSON.stringify(value).slice(0, JSON_CHARS_MAX)

const Changes = ({ of: { changed } }: { readonly of: SimulatedOutcome }) => {
  const rows = Object.entries(changed)
  if (rows.length === 0) return <p class="about">The context stays as it was.</p>
  return (
    <RowTable heads={['Member', 'Before', 'After']} look="changes">
      {rows.map(([name, [before, after]]) => (
        <tr key={name} data-member={name}>
          <th scope="row">{name}</th>
          <td data-label="before">{jsonText(before)}</td>
          <td data-label="after">{jsonText(after)}</td>
        </tr>
      ))}
    </RowTable>
  )
}

interface Props {
  readonly of: SimulatedOutcome
  /** Mesh tick in which the simulation begins. */
  readonly begin: number
}

/** One outcome of a simulation: what set it off, where it led, what it changed and did. */
export const StepCard = ({ of, begin }: Props) => {
  const { tick, outcome, by, event, from, to, steps, effects, computations, credits, problem, seen } = of
  return (
    <div class="sim-step" data-tick={tick - begin} data-outcome={outcome}>
      <p class="row-head">
        <span class={`badge ${outcomeClass[outcome]}`}>{outcome}</span>
        <span>
          {from} → {to}
        </span>
        <span class="about">
          after {tick - begin} ticks ({ticksText(tick - begin)}), by {byWords[by]}
        </span>
      </p>
      <dl class="facts">
        {event !== null && (
          <FactBox name={`event ${event.name}`}>
            <code>{jsonText(event.data)}</code>
          </FactBox>
        )}
        {steps.length > 0 && <FactBox name="transitions">{steps.join(', ')}</FactBox>}
        {credits > 0 && <FactBox name="credits">{credits}</FactBox>}
      </dl>
      {problem !== null && (
        <p class="wrong">
          {problem.message} <code>{problem.path}</code>
        </p>
      )}
      {seen.length > 0 && (
        <ul class="plain">
          {seen.map((it) => (
            <li key={it.transition}>
              {it.transition}: <code>{it.guard}</code> is false with <code>{jsonText(it.values)}</code>
            </li>
          ))}
        </ul>
      )}
      <Changes of={of} />
      {computations.length > 0 && (
        <ul class="plain">
          {computations.map((it, i) => (
            <li key={`${i} ${it.path}`}>
              computes {it.solver ?? it.operators?.join(', ')} with <code>{jsonText(it.inputs)}</code>
            </li>
          ))}
        </ul>
      )}
      {effects.length > 0 && (
        <ul class="plain">
          {effects.map((it, i) => (
            <li key={`${i} ${it.kind}`}>
              {it.kind} <code>{jsonText({ ...it, kind: undefined })}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
