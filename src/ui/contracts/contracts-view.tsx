import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ContractList } from './contract-list.tsx'
import '#ui/style/contracts.css'

const READ_EVERY_MS = 10_000
const ROWS = 20

/** Where contracts are written, taken from templates, and found. */
export const ContractsView = ({ session }: { readonly session: PageSession }) => {
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/contracts/public', { limit: ROWS }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session] },
  )
  return (
    <article class="contracts">
      <h2>Contracts</h2>
      <p class="lead">
        A contract says what shall happen by itself: it acts once for each cause, and every act is an entry in the chain
        of its machine.
      </p>
      <ul class="tiles doors">
        <li class="card">
          <a href="#contracts/editor">Editor</a>
          <p class="about">Write one: faults show while you type, and it is simulated before it is deployed.</p>
        </li>
        <li class="card">
          <a href="#contracts/templates">Templates</a>
          <p class="about">Fill the places of one that stands, or say in a sentence what you want.</p>
        </li>
        <li class="card">
          <a href="#machines">Machines</a>
          <p class="about">The contracts of a machine are a part of its page.</p>
        </li>
      </ul>
      <h3>Of public machines</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.contracts.length === 0 && <p class="card about">There is none yet.</p>}
      {value !== undefined && <ContractList contracts={value.contracts} />}
    </article>
  )
}
