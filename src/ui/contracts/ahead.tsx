import { useState } from 'preact/hooks'
import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Select } from '#ui/part/select.tsx'
import { figure } from '#ui/text/numbers.ts'
import { triggerWords } from './model.ts'
import type { ShownDue } from './plan.ts'
import type { LookingAtPlan } from './use-plan.ts'

/** The next due instants, by the clock of their zone and by that of this browser. */
export const DueTable = ({ dues, local }: { readonly dues: readonly ShownDue[]; readonly local: string }) => (
  <RowTable heads={['Trigger', 'By its zone', `Here (${local})`, 'Note']} look="dues">
    {dues.map((it, i) => (
      <tr key={`${i} ${it.due}`} data-due={it.due}>
        <th scope="row">{it.words}</th>
        <td data-label="by its zone" class="wrap">
          {it.zoned} <span class="about">{it.zone}</span>
        </td>
        <td data-label="here" class="wrap">
          {it.local}
        </td>
        <td data-label="note" class="wrap">
          {it.note}
        </td>
      </tr>
    ))}
  </RowTable>
)

interface Props {
  readonly looking: LookingAtPlan
  readonly version: string | undefined
}

/** When the clock moves it next, in each of its states. */
export const NextFires = ({ looking: { looked, version: of }, version }: Props) => {
  const [wanted, choose] = useState<string>()
  const all = of === version ? (looked?.next ?? []) : []
  const shown = all.find(({ state }) => state === wanted) ?? all[0]
  return (
    <section class="card" aria-label="Next fires">
      <h3>Next fires</h3>
      {version !== undefined && of === version && shown === undefined && (
        <p class="about">No clock moves it: events do, or somebody.</p>
      )}
      {shown !== undefined && looked !== undefined && (
        <>
          <p class="about">
            While it is in{' '}
            {all.length === 1 ? (
              <b>{shown.state}</b>
            ) : (
              <Select
                aria-label="State"
                options={all.map(({ state }) => state)}
                value={shown.state}
                onChoose={choose}
              />
            )}
            , started or entered now.
          </p>
          <DueTable dues={shown.dues} local={looked.local} />
        </>
      )}
    </section>
  )
}

const numberText = (value: number | undefined): string => (value === undefined ? 'as others decide' : figure(value))

/** What a day costs at most. */
export const Cost = ({ looking: { looked, version: of }, version }: Props) => {
  const cost = of === version ? looked?.cost : undefined
  return (
    <section class="card" aria-label="Cost of a day" data-credits={cost?.credits}>
      <h3>Cost of a day</h3>
      {cost !== undefined && (
        <>
          <dl class="facts">
            <FactBox name="credits at most, by the clock">
              {cost.credits === undefined ? 'not known' : figure(cost.credits)}
            </FactBox>
            <FactBox name="fires at most, by the clock">{figure(cost.fires)}</FactBox>
          </dl>
          <RowTable heads={['Trigger', 'Transitions', 'Fires a day', 'Credits a fire', 'Credits a day']} look="costs">
            {cost.by.map((it) => (
              <tr key={it.path}>
                <th scope="row">{triggerWords(it.trigger)}</th>
                <td data-label="transitions" class="wrap">
                  {it.transitions.join(', ')}
                </td>
                <td data-label="fires a day">{numberText(it.fires)}</td>
                <td data-label="credits a fire">{it.creditsPerFire === undefined ? '?' : figure(it.creditsPerFire)}</td>
                <td data-label="credits a day">{numberText(it.credits)}</td>
              </tr>
            ))}
          </RowTable>
        </>
      )}
    </section>
  )
}
