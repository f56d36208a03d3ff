import type { PageSession } from '#ui/session.ts'
import type { Solvers } from '#ui/view/solvers-view.tsx'
import { type Match, ofQuestion } from './match.ts'
import { nearestQuestion } from './questions.ts'
import { useMatches } from './use-matches.ts'

interface Props {
  readonly text: string
  readonly session: PageSession
  readonly solvers: Solvers
}

const Links = ({ matches }: { readonly matches: readonly Match[] }) => (
  <ul class="plain nearest" aria-label="Nearest">
    {matches.map(({ kind, title, about, at }) => (
      <li key={at} data-nearest={kind}>
        <a href={`#${at}`}>{title}</a> <span class="about">{about}</span>
      </li>
    ))}
  </ul>
)

/** Where a search finds nothing: what is nearest among solvers, relations and questions, and the words as a question. */
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
