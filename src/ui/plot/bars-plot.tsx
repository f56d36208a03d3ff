import type { Bars } from './plots.ts'

/** Counts by name, the longest bar as wide as there is room. */
export const BarsPlot = ({ bars: { labels, values, about } }: { readonly bars: Bars }) => {
  const most = values.reduce((a, b) => Math.max(a, b), 0) || 1
  return (
    <figure class="plot bars">
      <figcaption>{about}</figcaption>
      {values.length === 0 && <p class="about">Nothing yet.</p>}
      <ul>
        {labels.map((label, i) => (
          <li key={label}>
            <span class="bar-name" title={label}>
              {label}
            </span>
            <span class="bar-room">
              <span class="bar" style={{ width: `${(100 * (values[i] ?? 0)) / most}%` }} />
            </span>
            <span class="bar-value">{values[i]}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
