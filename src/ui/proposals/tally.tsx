import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { type ShownProposal, verdictText } from './words.ts'

const percent = (share: number): string => `${Math.round(100 * share)} %`

/** Yes and no beside each other: a bar for eyes, and the same in numbers for all. */
export const Bar = ({ tally: { yes, no } }: Pick<ShownProposal, 'tally'>) => (
  <p class="vote-line">
    <meter class="vote-bar" min={0} max={Math.max(1, yes + no)} value={yes} aria-label="Share of yes" />
    <span>
      <strong>{yes}</strong> yes · <strong>{no}</strong> no
    </span>
  </p>
)

/** What a vote comes to now, and where its weight is from. */
export const TallyCard = ({ tally, settled }: Pick<ShownProposal, 'tally' | 'settled'>) => {
  const { zids, yes, yes_effective: effective, homes, last_ticks_share: late, indicative, root, passed } = tally
  return (
    <section class="card" aria-label="Count" data-passed={passed}>
      <h3>Count</h3>
      <Bar tally={tally} />
      <p>
        {verdictText(tally)} {indicative && <span class="badge">indicative</span>}
      </p>
      {indicative && (
        <p class="about">Everybody mints for themselves in an open mesh: weight shows work here, and no cost.</p>
      )}
      <dl class="facts">
        <FactBox name="stakers">{zids}</FactBox>
        <FactBox name="yes that counts">{effective === yes ? yes : `${effective} of ${yes}`}</FactBox>
        <FactBox name="of the last 1,287 ticks">{late === null ? '–' : percent(late)}</FactBox>
        <FactBox name="result">{settled ? 'settled' : 'may still change'}</FactBox>
      </dl>
      {homes.length > 0 && (
        <RowTable heads={['Home of the envelopes', 'Yes', 'No', 'Stakers']}>
          {homes.map((it) => (
            <tr key={it.home}>
              <td data-label="Home">
                <code>{it.home}</code>
              </td>
              <td data-label="Yes">{it.yes}</td>
              <td data-label="No">{it.no}</td>
              <td data-label="Stakers">{it.zids}</td>
            </tr>
          ))}
        </RowTable>
      )}
      <p class="about">
        Merkle root of what was counted: <code>{root}</code>
      </p>
    </section>
  )
}
