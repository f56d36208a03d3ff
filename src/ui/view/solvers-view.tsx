import { useMemo, useState } from 'preact/hooks'
import type { SolverName } from '#ui/server/shapes.ts'

/** Solvers by their domain, domains and titles in the order of the alphabet. */
const byDomain = (solvers: readonly SolverName[]): readonly (readonly [string, readonly SolverName[]])[] =>
  [...Map.groupBy(solvers, ({ domain }) => domain)]
    .map(([domain, some]) => [domain, some.toSorted((a, b) => a.title.localeCompare(b.title))] as const)
    .toSorted(([a], [b]) => a.localeCompare(b))

/** Whether every word that is looked for stands somewhere in what a solver says of itself. */
const fits = ({ name, title, summary, domain, method }: SolverName, words: readonly string[]): boolean => {
  const text = `${name} ${title} ${summary} ${domain} ${method}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** All solvers of the node, by domain, with a search. */
export const SolversView = ({ solvers }: { readonly solvers: readonly SolverName[] }) => {
  const [typed, type] = useState('')
  const groups = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    return byDomain(solvers.filter((it) => fits(it, words)))
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
      {groups.length === 0 && <p class="about">No solver says these words of itself.</p>}
      {groups.map(([domain, some]) => (
        <section key={domain} aria-label={domain}>
          <h3>{domain.replaceAll('-', ' ')}</h3>
          <ul class="solvers">
            {some.map(({ name, title, summary }) => (
              <li key={name}>
                <a href={`#solver/${name}`}>{title}</a>
                <p class="about">{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  )
}
