import type { PageSession } from '#ui/session.ts'
import type { ViewProps } from '#ui/view-props.ts'
import { Asking } from './asking.tsx'
import { runExample } from './example.ts'
import { verifyFile } from './handed.ts'
import { ProofCard } from './proof-card.tsx'
import { EXAMPLES } from './questions.ts'
import { fileOf, readWorked } from './worked.ts'

/** The sixth example: a receipt goes to the view that verifies. */
const verifyExample = (): void =>
  void readWorked(new AbortController().signal).then(
    ({ bundle }) => verifyFile(fileOf(bundle)),
    () => {
      location.hash = 'verify'
    },
  )

const Examples = () => (
  <section class="card" aria-label="Examples">
    <h3>Try one</h3>
    <ul class="examples">
      {EXAMPLES.map(({ kind, text }) => (
        <li key={text}>
          <button type="button" class="example" onClick={() => runExample(text)}>
            <span class="match-kind">{kind}</span> {text}
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="example" onClick={verifyExample}>
          <span class="match-kind">a file</span> verify somebody’s receipt
        </button>
      </li>
    </ul>
  </section>
)

/** Where a stranger begins: what this is, one box, things to try, and a receipt to doubt. */
export const AskView = ({ session, solvers, shown, query }: Omit<ViewProps, 'runs'> & { session: PageSession }) => (
  <article class="front">
    <h2>Ask, and get a number you can prove</h2>
    <p class="lead">
      tickmesh computes physics, engineering and mathematics, checks each result by a second method, and seals it in a
      receipt that anyone can verify, without trusting this server.
    </p>
    <Asking session={session} solvers={solvers} shown={shown} query={query} at="ask" />
    <div class="front-tiles">
      <Examples />
      <ProofCard />
    </div>
  </article>
)
