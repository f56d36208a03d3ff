import { spellAddress } from '#ui/address.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { passingOf } from '#ui/view/passing.ts'
import { ProblemWords, problemCode } from '#ui/view/problem-card.tsx'
import { Chip } from './chip.tsx'
import { mended } from './mended.ts'
import { type BoxQuestion, type RefusedReading, replaced } from './reading.ts'

/** The page of what was read, with its numbers: there each input has its field. */
const pageOf = ({ kind, name, bound }: RefusedReading): string =>
  kind === 'operators'
    ? spellAddress(`operators/${name}`, Object.fromEntries(bound.map(({ input, given }) => [input, String(given)])))
    : spellAddress(`solver/${name}`, Object.fromEntries(bound.map(({ input, value }) => [input, String(value)])))

interface Props {
  readonly problem: Error
  readonly readAs: RefusedReading
  readonly asked: BoxQuestion
  readonly onAsked: (asked: BoxQuestion) => void
}

/** A question that was read and whose value is refused: the reading with that value marked, why, and what passes. */
export const RefusedCard = ({ problem, readAs, asked, onAsked }: Props) => {
  const passing = problem instanceof ApiProblem ? passingOf(problem) : undefined
  const fix = mended(asked, readAs, passing)
  const page = pageOf(readAs)
  return (
    <section class="reading refused" aria-label="How it is read" data-code={problemCode(problem)}>
      <p class="reading-head">
        <span class="about">I read</span> <a href={`#${page}`}>{readAs.title}</a>
      </p>
      <div class="chips">
        {readAs.bound.map((it) => (
          <Chip
            key={it.input}
            name={it.input}
            text={String(it.given)}
            unit={it.unit}
            wrong={it.input === passing?.input}
            onValue={(text) => onAsked(replaced(asked, it, text) ?? asked)}
          />
        ))}
      </div>
      <ProblemWords problem={problem}>
        {fix !== undefined && (
          <button type="button" class="primary" onClick={() => onAsked(fix.next)}>
            Set {passing?.input} to {fix.text}
          </button>
        )}
        <a href={`#${page}`}>Open its form</a>
      </ProblemWords>
    </section>
  )
}
