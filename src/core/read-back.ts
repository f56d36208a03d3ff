import type { Json } from './canonical.ts'
import type { AskedClaim, Question, SealedReading } from './claim.ts'

/** Characters of a value as a sentence shows it. */
const SHOWN_CHARS_MAX = 80

const shown = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text
}

const withUnit = (value: Json, unit: string): string =>
  unit === '' || unit === '1' ? shown(value) : `${shown(value)} ${unit}`

/** How a question was read, as a sentence: what it goes to, and which value went where. */
export const readBack = (reading: SealedReading): string => {
  const { solver, operators, bound, settings, defaults, corrections } = reading
  const what = solver === null ? `operators ${operators.slice(1).join(', ')}` : `solver ${solver}`
  const values = bound.map(({ input, given, value, unit }) => `${input} = ${withUnit(value, unit)} (“${shown(given)}”)`)
  const chosen = settings.map(({ input, value, because }) => `${input} = ${shown(value)} (“${because}”)`)
  const left = Object.keys(defaults).length
  const parts = [
    `I read: ${what}`,
    ...(bound.length + settings.length === 0 ? [] : [`with ${[...values, ...chosen].join(', ')}`]),
    ...(left === 0 ? [] : [`and ${left} other input${left === 1 ? '' : 's'} at the default`]),
    ...corrections.map(({ from, to }) => `taking “${from}” for “${to}”`),
  ]
  return `${parts.join(', ')}.`
}

/** What a claim answers, as a sentence: the question only where the reading of it was confirmed. */
export const answersLine = ({ asked }: Pick<AskedClaim, 'asked'>, question: Question | undefined): string => {
  const { confirmed } = asked
  if (question === undefined) {
    const whose = confirmed ? 'confirmed by the caller' : 'not confirmed'
    return `Answers a question in words as it was read, ${whose}; neither is in the bundle.`
  }
  const { query, reading } = question
  return confirmed
    ? `Answers the question “${query}” by the reading confirmed by the caller. ${readBack(reading)}`
    : `Answers the reading of “${query}”, not confirmed by the caller, and not the question. ${readBack(reading)}`
}
