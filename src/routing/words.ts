const MARKS = /\p{M}/gu
const OTHER = /[^\p{L}\p{N}]+/gu

/** A word without the plural's ending: rough, and the same for queries and vocabulary. */
const stem = (word: string): string => {
  if (word.length <= 3) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}

/** Words of a text as they are compared: lower case, no accents, no plurals; `'s` is dropped. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(/[’']s\b/g, '')
    .toLowerCase()
    .replace(OTHER, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
    .map(stem)

/** A text as phrases are looked for in it: its words with one space around each. */
export const folded = (text: string): string => ` ${wordsOf(text).join(' ')} `

/** Whether a folded text holds a folded phrase. */
export const holds = (text: string, phrase: string): boolean => phrase.length > 2 && text.includes(phrase)

/** `no losses`, `ignoring friction`: what a law without it leaves out anyway. */
export const LEFT_OUT = new RegExp(
  [
    String.raw`\b(?:no|without|ignor\w+|neglect\w+|disregard\w+|assum\w+ no|`,
    String.raw`zero)\s+(?:any |the |its |all )?(?!current|load)[\p{L}]+(?:\s(?:resistance|`,
    'losses|loss|weight|effects?|drag|friction|dividends?))?',
  ].join(''),
  'giu',
)
