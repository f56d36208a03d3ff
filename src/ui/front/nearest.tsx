import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import { ofQuestion, type PageMatch } from './match.ts'
import { nearestQuestion } from './questions.ts'
import { useMatches } from './use-matches.ts'

interface Props {
  readonly text: string
  readonly session: PageSession
  readonly solvers: Solvers
}

const Links = ({ matches }: { readonly matches: readonly PageMatch[] }) => (
  <ul class="plain nearest" aria-label="Nearest">
    {matches.map(({ kind, title, about, at }) => (
      <li key={at} data-nearest={kind}>
        <a href={`#${at}`}>{title}</a> <span class="about">{about}</span>
      </li>
    ))}
  </ul>
)

/** Where a search finds nothing: the nearest solver, relation and question, and the words themselves as a question. */
export const Nearest = ({ text, session, solvers }: Props) => {
  const { matches } = useMatches(text, session, solvers)
  const questions = [ofQuestion(text.trim()), ofQuestion(nearestQuestion(text))]
  return (
    <>
      <p class="about">Perhaps one of these:</p>
      <Links matches={[...matches, ...new Map(questions.map((it) => [it.at, it])).values()]} />
    </>
  )
}
