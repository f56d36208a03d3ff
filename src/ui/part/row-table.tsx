import type { ComponentChildren } from 'preact'

interface Props {
  readonly heads: readonly string[]
  /** Columns that the last head stands over; one when left out. */
  readonly lastSpan?: number
  /** A class of its own, beside those of every list. */
  readonly look?: string
  /** The rows. */
  readonly children: ComponentChildren
}

/** A list with heads; where the page is narrow its rows become stacks, each cell under its `data-label`. */
export const RowTable = ({ heads, lastSpan = 1, look, children }: Props) => (
  <div class="scroll">
    <table class={look === undefined ? 'list stack' : `list ${look} stack`}>
      <thead>
        <tr>
          {heads.map((it, i) => (
            <th key={it} scope="col" colSpan={i === heads.length - 1 ? lastSpan : 1}>
              {it}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
