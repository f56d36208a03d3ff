import { fileName } from '#ui/export/exporting.ts'
import { download } from '#ui/receipt/evidence.ts'
import type { MeshStatus } from './mesh.ts'

type Found = MeshStatus['equivocations'][number] | MeshStatus['witness']['evidence'][number]

/** Proofs that are drawn. */
const ROWS_MAX = 32

const whatOf = (it: Found): string =>
  'larger' in it
    ? `signed trees of ${it.size} and ${it.larger} leaves, one no part of the other: it counts up to ${it.size}.`
    : `signed two roots for ${it.size} leaves.`

const save = (found: Found): void => {
  const text = JSON.stringify(found, undefined, 2)
  download(`${fileName('equivocation', found.origin, String(found.size))}.json`, new Blob([text]))
}

/** Logs that signed two histories, with the two notes that prove it; nothing when there is none. */
export const Evidence = ({ found }: { readonly found: readonly Found[] }) => {
  if (found.length === 0) return null
  return (
    <section class="card problem" aria-label="Equivocations" role="alert">
      <h3>{found.length === 1 ? 'A log signed two histories' : `${found.length} times a log signed two histories`}</h3>
      <ul class="rows">
        {found.slice(0, ROWS_MAX).map((it) => (
          <li key={`${it.origin} ${it.size}`} data-equivocation={it.origin}>
            <p>
              <code>{it.origin}</code> {whatOf(it)}
            </p>
            <details>
              <summary>The two notes</summary>
              {it.notes.map((note) => (
                <pre key={note}>{note}</pre>
              ))}
            </details>
            <div class="actions">
              <button type="button" class="small" onClick={() => save(it)}>
                Save the evidence
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
