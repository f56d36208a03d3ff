import { spelled } from './names.ts'

const ASCII = /^[ -~]*$/
const WORDS = /[\p{L}\p{N}_]+/gu

/** Words that British and American English spell each in its own way, beside what the endings below catch. */
const AMERICAN: ReadonlyMap<string, string> = new Map([
  ['aluminium', 'aluminum'],
  ['sulphur', 'sulfur'],
  ['analogue', 'analog'],
  ['catalogue', 'catalog'],
  ['mould', 'mold'],
  ['plough', 'plow'],
  ['grey', 'gray'],
  ['draught', 'draft'],
  ['tyre', 'tire'],
  ['oestrogen', 'estrogen'],
  ['manoeuvre', 'maneuver'],
])

/** One spelling for both sides of the Atlantic. It need not be a word: both that are compared go through it. */
const american = (word: string): string =>
  AMERICAN.get(word) ??
  word
    .replace(/ae(?=[mst])/g, 'e')
    .replace(/(?<=\p{L}{2})is(?=(?:e|ed|er|ing|ation)$)/u, 'iz')
    .replace(/(?<=l)ys(?=(?:e|ed|er|ing)$)/, 'yz')
    .replace(/(?<=\p{L}{3})our(?=(?:s|ed|ing|al)?$)/u, 'or')
    .replace(/(?<=[bct])re$/, 'er')
    .replace(/ll(?=(?:ed|er|ing)$)/, 'l')
    .replace(/(?<=[ef]en)c(?=e$)/, 's')

/** Plurals that the endings below would take for others. */
const SINGULAR: ReadonlyMap<string, string> = new Map([
  ['gases', 'gas'],
  ['lenses', 'len'],
  ['radii', 'radius'],
  ['nuclei', 'nucleus'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['axes', 'axis'],
  ['spectra', 'spectrum'],
])

/** A word without the ending of a plural: rough, and the same on both sides. */
const singular = (word: string): string => {
  const irregular = SINGULAR.get(word)
  if (irregular !== undefined || word.length <= 3) return irregular ?? word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}

const stems = new Map<string, string>()
/** Stems kept once made. */
const STEMS_MAX = 16_384

/** The form in which a word is compared: no plural, one spelling. */
export const stemOf = (word: string): string => {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = american(singular(word))
  if (stems.size < STEMS_MAX) stems.set(word, stem)
  return stem
}

/** Words of a text as written, but for accents, the possessive and Greek letters, which stand for their names. */
export const writtenWords = (text: string): readonly string[] =>
  (ASCII.test(text) ? text : spelled(text).normalize('NFKD').replace(/\p{M}/gu, ''))
    .replace(/[’']s\b/gi, '')
    .match(WORDS) ?? []

/** Words of a text as they are compared. */
export const stemsOf = (text: string): readonly string[] => writtenWords(text).map((word) => stemOf(word.toLowerCase()))
