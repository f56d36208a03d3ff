import type { ResultAt } from '#api/result-of.ts'
import { unitText } from '#ui/text/numbers.ts'

/** What gives a wanted quantity. */
export type Ways = ResultAt<'GET /api/operators/find'>
type WayFound = Ways['operators'][number]

type Missing = WayFound['missing']

const missingText = (missing: Missing): string =>
  missing.map(({ symbol, name, unit }) => `${symbol} (${[name, unitText(unit)].filter(Boolean).join(', ')})`).join('; ')

const Way = ({ way: { links, missing, fed } }: { readonly way: WayFound }) => (
  <li data-way={links.map((it) => it.operator).join(' ')}>
    {links.map(({ operator, name, solve_for: symbol }, at) => (
      <p key={operator}>
        {at > 0 && 'then '}
        <a href={`#operators/${operator}/${symbol}`}>{name}</a> <code class="about">{operator}</code>{' '}
        <span class="about">
          for {symbol}
          {at === 0 && fed !== null && `, which is ${fed.to.symbol} of the next`}
        </span>
      </p>
    ))}
    <p class="about">{missing.length === 0 ? 'Nothing else is needed.' : `Still needed: ${missingText(missing)}`}</p>
  </li>
)

/** Ways to a quantity, with what each still needs. */
export const WayList = ({ ways, label }: { readonly ways: readonly WayFound[]; readonly label: string }) =>
  ways.length === 0 ? null : (
    <ul class="operators" aria-label={label}>
      {ways.map((way) => (
        <Way key={way.links.map((it) => `${it.operator} ${it.solve_for}`).join()} way={way} />
      ))}
    </ul>
  )
