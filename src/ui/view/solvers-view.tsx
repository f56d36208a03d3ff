import { useMemo, useState } from 'preact/hooks'
import { Nearest } from '#ui/front/nearest.tsx'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'

/** Whether every word that is looked for stands somewhere in what a solver says of itself. */
const fits = ({ name, title, summary, domain, method }: Solvers[number], words: readonly string[]): boolean => {
  const text = `${name} ${title} ${summary} ${domain} ${method}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** All solvers of the node, with a search over what they say of themselves. */
export const SolversView = ({ solvers, session }: { readonly solvers: Solvers; readonly session: PageSession }) => {
  const [typed, type] = useState('')
  const found = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    return solvers.filter((it) => fits(it, words)).toSorted((a, b) => a.title.localeCompare(b.title))
  }, [solvers, typed])
  return (
    <article>
      <h2>Solvers</h2>
      <p class="lead">
        Each computes, has its result checked by an independent method, and seals it only with a measured error of at
        most 0.1 %.
      </p>
      <label class="find" for="find-solver">
        Find
        <input
          id="find-solver"
          type="search"
          placeholder="heat, orbit, price, beam …"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {found.length === 0 && (
        <div class="card">
          <p>No solver says these words of itself.</p>
          <Nearest text={typed} session={session} solvers={solvers} />
        </div>
      )}
      <ul class="solvers">
        {found.map(({ name, title, summary, domain }) => (
          <li key={name}>
            <a href={`#solver/${name}`}>{title}</a>
            <p>{summary}</p>
            <p class="about">
              <code>{name}</code> · {domain.replaceAll('-', ' ')}
            </p>
          </li>
        ))}
      </ul>
    </article>
  )
}
