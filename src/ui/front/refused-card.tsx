import { spellAddress } from '#ui/address.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { type Passing, passingOf } from '#ui/view/passing.ts'
import { ProblemWords, problemCode } from '#ui/view/problem-card.tsx'
import { Chip } from './chip.tsx'
import { type BoundValue, type BoxQuestion, type RefusedReading, replaced } from './reading.ts'
import { amountIn, amountText, isScale } from './units.ts'

/** Digits that a converted bound is written with: those that any number has for certain. */
const DIGITS = 15

/** A value that passes as it is written in place of one that does not: in the unit that was said, where it can be. */
export const passingText = (value: number, { given, value: refused, unit }: BoundValue): string => {
  const { number, unit: said } = amountIn(String(given))
  if (said === '' || unit === '') return String(value)
  const scale = isScale(said) || typeof refused !== 'number' ? Number.NaN : Number(number) / refused
  if (!Number.isFinite(scale)) return amountText(String(value), unit)
  return amountText(String(Number((value * scale).toPrecision(DIGITS))), said)
}

/** The page of what was read, with its numbers: there each input has its field. */
const pageOf = ({ kind, name, bound }: RefusedReading): string =>
  kind === 'operators'
    ? spellAddress(`operators/${name}`, Object.fromEntries(bound.map(({ input, given }) => [input, String(given)])))
    : spellAddress(`solver/${name}`, Object.fromEntries(bound.map(({ input, value }) => [input, String(value)])))

/** The question with the value that passes; undefined where no word of it says that input. */
const mended = (asked: BoxQuestion, { bound }: RefusedReading, passing: Passing | undefined) => {
  const wrong = bound.find(({ input }) => input === passing?.input)
  if (wrong === undefined || passing === undefined) return undefined
  const text = passingText(passing.value, wrong)
  const next = replaced(asked, wrong, text)
  return next === undefined ? undefined : { text, next }
}

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
