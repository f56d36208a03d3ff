import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { ChangeState } from './use-task.ts'

/** What became of a change: a word, or the refusal as a card. */
export const TaskOutcome = ({ of: { said, problem } }: { readonly of: ChangeState }) => (
  <>
    <p class="about said" role="status">
      {said}
    </p>
    {problem !== undefined && <ProblemCard problem={problem} />}
  </>
)
