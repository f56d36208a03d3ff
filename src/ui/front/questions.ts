import { editDistance } from '#core/near-names.ts'

/** Something to try: pressed, it runs. */
export interface TryOut {
  readonly kind: string
  readonly text: string
}

/** One of each kind, shown on the first screen; the sixth is a file to verify. */
export const EXAMPLES: readonly TryOut[] = [
  { kind: 'a question', text: 'orbital period at 400 km altitude above Earth' },
  { kind: 'a field', text: 'heat a plate of 0.2 m by 0.2 m' },
  { kind: 'a relation', text: 'Schwarzschild radius of 10 solar masses' },
  { kind: 'options', text: 'price of a call option, strike 100, spot 105, 6 months, volatility 20 %' },
  { kind: 'an epidemic', text: 'epidemic with beta 0.4 per day and gamma 0.1 per day' },
]

/** What the empty box shows that one may ask. */
export const EXAMPLE = 'escape velocity of the Earth'

/** Questions that are read without asking back: one of them is offered where nothing fits. */
export const QUESTIONS: readonly string[] = [
  ...EXAMPLES.map(({ text }) => text),
  EXAMPLE,
  'period of a pendulum of length 2 m',
  'energy of a photon of 500 nm',
  'kinetic energy of 1500 kg at 100 km/h',
  'monthly payment on a loan of 200000 at 4 % over 25 years',
  'speed of sound in air at 20 degC',
  'boiling point of water at 2000 m',
  'power of a 12 V battery over 4 ohm',
  'time of fall from 45 m',
  'probability of 3 heads in 10 flips',
  'pH of 0.01 mol/l hydrochloric acid',
  'resistance of 100 m of copper wire of 1 mm diameter',
]

/** Words that are compared, and letters of each. */
const WORDS_MAX = 8
const LETTERS_MAX = 24

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).slice(0, WORDS_MAX).map((it) => it.slice(0, LETTERS_MAX))

const farFrom = (question: string, words: readonly string[]): number => {
  const own = wordsOf(question)
  return words.reduce((sum, word) => sum + Math.min(...own.map((it) => editDistance(word, it) / word.length)), 0)
}

/** The question that is most like what was typed. */
export const nearestQuestion = (typed: string): string => {
  const words = wordsOf(typed)
  const [first = ''] = QUESTIONS
  return QUESTIONS.reduce((best, it) => (farFrom(it, words) < farFrom(best, words) ? it : best), first)
}
