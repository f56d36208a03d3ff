import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { Which } from './reads.ts'

/** What a node warns of when it takes a contract. */
type Warnings = ResultAt<'POST /api/chain/{slug}/contracts/custom'>['warnings']

/** By the contracts that they are about, since the page was loaded: whoever deploys one is led to its room. */
const told = new Map<string, Warnings>()

const nameOf = ({ slug, id }: Which): string => `${slug}/${id}`

/** Keeps what the answer to a deployment or a change warned of, in place of what was warned of before. */
export const keepWarnings = (of: Which, warnings: Warnings): void => {
  if (warnings.length === 0) told.delete(nameOf(of))
  else told.set(nameOf(of), warnings)
}

/** What the node warned of when it took this contract, until that is put away. */
export const ToldWarnings = ({ of }: { readonly of: Which }) => {
  const [, draw] = useState(0)
  const warnings = told.get(nameOf(of)) ?? []
  if (warnings.length === 0) return null
  return (
    <section class="card" aria-label="Warnings" data-warnings={warnings.length}>
      <h3>The node took it, and warns</h3>
      <ul class="findings">
        {warnings.map(({ rule, path, reason }) => (
          <li key={`${rule} ${path}`} data-rule={rule}>
            <span class="badge promised">warning</span> {reason} <code>{path === '' ? 'the whole' : path}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a href={`#contracts/editor?slug=${of.slug}&id=${of.id}`}>Write the next version</a>
        <button
          type="button"
          class="small"
          onClick={() => {
            keepWarnings(of, [])
            draw((it) => it + 1)
          }}
        >
          Put away
        </button>
      </div>
    </section>
  )
}
