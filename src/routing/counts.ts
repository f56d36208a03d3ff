/** Numbers as they are said, and what they are in digits. */
const ONES: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
}
const TEENS: Readonly<Record<string, number>> = {
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
}
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}
const HUNDRED = 100
const DOZEN = 12

const oneOf = (table: Readonly<Record<string, number>>): string => Object.keys(table).join('|')
const UNITS_OF_TIME = 'second|minute|hour|day|week|month|year'
/** What a half is of, and what a lone article counts. */
const HALVED = `${UNITS_OF_TIME}|met(?:re|er)|kilomet(?:re|er)|mile|inch|kilo|kilogram|gram|lit(?:re|er)|tonne|ton`
const BELOW_HUNDRED = `(?:${oneOf(TENS)})(?:[\\s-](?:${oneOf(ONES)}))?|${oneOf(TEENS)}|${oneOf(ONES)}`
const SAID = new RegExp(
  [
    String.raw`\bhalf\s(?:an?\s)?(?=(?:${HALVED})s?\b)`,
    String.raw`\b(?:a|one)\s(?:hundred|dozen)\b`,
    String.raw`\ban?(?=\s(?:${UNITS_OF_TIME})s?\b)`,
    // `two-way`, `three-phase` count nothing; `a ten-year loan` does.
    String.raw`\b(?:${BELOW_HUNDRED})(?:\s(?:hundred|dozen))?\b(?!-(?!(?:${UNITS_OF_TIME}|${HALVED})\b)\p{L})`,
  ].join('|'),
  'giu',
)

/** What stands before `a day` where that is a rate: a number, or what is counted. */
const RATED = new RegExp(
  [
    String.raw`(?:\d|\b(?:hours?|hrs?|minutes?|mins?|seconds?|times|once|twice|`,
    'kwh|litres?|liters?|dollars?|euros?|cents?|percent|mg|kg|grams?|',
    'ml|cigarettes?|cars|people|orders|customers|beats|loads?|trips?|',
    String.raw`km|miles|units|pages|boxes)|%)\s?$`,
  ].join(''),
  'iu',
)

const digitsOf = (said: string): string => {
  const words = said.toLowerCase().trim().split(/[\s-]/u)
  if (words[0] === 'half') return '0.5 '
  const times = words.at(-1) === 'hundred' ? HUNDRED : words.at(-1) === 'dozen' ? DOZEN : 1
  const sum = words.reduce((all, word) => all + (ONES[word] ?? TEENS[word] ?? TENS[word] ?? 0), 0)
  return String((sum === 0 ? 1 : sum) * times)
}

/**
 * A text with numbers that stand in words as digits (`ten m/s`, `half an hour`, `twenty five`, `a year`), and where
 * those begin in it, with their lengths. `a day` after a number is a rate and stays.
 */
export const withDigits = (query: string): { readonly text: string; readonly words: ReadonlyMap<number, number> } => {
  const words = new Map<number, number>()
  let text = ''
  let from = 0
  for (const found of query.matchAll(SAID)) {
    const [said] = found
    const rate = /^an?$/iu.test(said) && RATED.test(query.slice(0, found.index))
    if (rate) continue
    const digits = digitsOf(said)
    text += query.slice(from, found.index)
    words.set(text.length, digits.trim().length)
    text += digits
    from = found.index + said.length
  }
  return { text: text + query.slice(from), words }
}
