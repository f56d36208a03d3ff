import { Fault } from '#core/fault.ts'
import { didYouMean, nearestNames, shortened } from '#core/near-names.ts'
import { measured } from '#numerics/operators/measured.ts'
import { folded, spelled } from '#numerics/operators/names.ts'
import { stemsOf } from '#numerics/operators/spelling.ts'
import { type SearchedVariable, type Variables, wordsOf } from './variables.ts'

/** How surely a word means a variable: its symbol or name as written, words of its name, its unit alone. */
export const GRADES = { exact: 4, words: 2, unit: 1 } as const

/** What a word of a question means. */
export interface Said {
  /** As it was written. */
  readonly text: string
  readonly as: 'symbol' | 'name' | 'words' | 'unit'
  /** The variables that it may mean, by their number, with the grade. */
  readonly means: ReadonlyMap<number, number>
}

type Meaning = Pick<Said, 'as' | 'means'>

/** Letters of a word that is looked for among those of names. */
const WORD_MIN = 3
/** Names offered for one that is not known, and unknown names that names are offered for. */
const SUGGESTIONS_MAX = 3
const EXPLAINED_MAX = 3
/** Share of the variables of one name that makes a quantity one of those the name is used for. */
const SHARE_MIN = 0.1
const WITH_UNIT = /^([^[\]]*?)\s*(?:\[([^[\]]*)\])?$/

const graded = (places: readonly SearchedVariable[], grade: number): ReadonlyMap<number, number> =>
  new Map(places.map((it) => [it.at, grade]))

/** Variables with every word of a text in one of their names; the list of the rarest word is gone through. */
const withWords = ({ byStem }: Variables, text: string): readonly SearchedVariable[] => {
  const stems = [...new Set(stemsOf(text))]
  const lists = stems.map((it) => byStem.get(it) ?? [])
  const shortest = lists.reduce((least, it) => (it.length < least.length ? it : least), lists[0] ?? [])
  return shortest.filter((it) => wordsOf(it).some((own) => stems.every((stem) => own.includes(stem))))
}

/** Of variables that have one name the quantities of at least a tenth: a temperature is seldom an energy. */
const usual = (places: readonly SearchedVariable[]): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { quantity } of places) counts.set(quantity, (counts.get(quantity) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= SHARE_MIN * places.length).map(([quantity]) => quantity))
}

/**
 * A name as written, and the variables that have it among the words of theirs: those measure what it mostly measures
 * where it stands alone, so that a temperature is no temperature coefficient.
 */
const byName = (variables: Variables, text: string): Meaning | undefined => {
  const exact = variables.byName.get(folded(text)) ?? []
  if (exact.length === 0) return undefined
  const measured = usual(exact)
  const alike = withWords(variables, text).filter(({ quantity }) => measured.has(quantity))
  const rare = exact.filter(({ quantity }) => !measured.has(quantity))
  const means = [...graded(exact, GRADES.exact), ...graded(rare, GRADES.words)]
  return { as: 'name', means: new Map([...graded(alike, GRADES.words), ...means]) }
}

/** Words of names; two letters, as in `of`, tell nothing. */
const byWords = (variables: Variables, text: string): Meaning | undefined => {
  if (text.length < WORD_MIN) return undefined
  const found = withWords(variables, text)
  return found.length === 0 ? undefined : { as: 'words', means: graded(found, GRADES.words) }
}

/** A symbol as written, in the case it is written in. */
const bySymbol = ({ bySymbol: symbols }: Variables, text: string): Meaning | undefined => {
  const found = symbols.get(text) ?? symbols.get(spelled(text))
  return found === undefined ? undefined : { as: 'symbol', means: graded(found, GRADES.exact) }
}

const keyOf = (unit: string): string | undefined => {
  try {
    return measured(unit)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

const ofQuantity = ({ byQuantity }: Variables, key: string): readonly SearchedVariable[] => [
  ...(byQuantity.get(key) ?? []),
  ...(byQuantity.get(`${key} difference`) ?? []),
]

const byUnit = (variables: Variables, unit: string): Meaning | undefined => {
  const key = unit === '' ? undefined : keyOf(unit)
  const found = key === undefined ? [] : ofQuantity(variables, key)
  return found.length === 0 ? undefined : { as: 'unit', means: graded(found, GRADES.unit) }
}

/** What has this symbol or this name: of a word that is both, as `gain` may be, either. */
const named = (variables: Variables, text: string): Meaning | undefined => {
  const [symbol, name] = [bySymbol(variables, text), byName(variables, text)]
  if (symbol === undefined || name === undefined) return symbol ?? name
  return { as: symbol.as, means: new Map([...name.means, ...symbol.means]) }
}

const meaning = (variables: Variables, text: string): Meaning | undefined => {
  const [, word = '', unit] = WITH_UNIT.exec(text) ?? [undefined, text, undefined]
  const measured = unit === undefined ? undefined : byUnit(variables, unit)
  if (unit !== undefined && word === '') return measured
  if (unit === undefined) return named(variables, word) ?? byUnit(variables, word) ?? byWords(variables, word)
  const found = named(variables, word) ?? byWords(variables, word)
  const kept = [...(found?.means ?? [])].filter(([at]) => measured?.means.has(at))
  return found === undefined || kept.length === 0 ? undefined : { as: found.as, means: new Map(kept) }
}

/** All words as units: where each is one and some are nothing else, `K` among them is the kelvin and no symbol. */
const allUnits = (variables: Variables, texts: readonly string[]): readonly Meaning[] | undefined => {
  if (!texts.some((it) => named(variables, it) === undefined)) return undefined
  const read = texts.map((it) => byUnit(variables, it))
  return read.every((it) => it !== undefined) ? read : undefined
}

/** Whether one may be a slip of the other: comparing all would cost most of a query's time. */
const near = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 2 && (a[0] === b[0] || a.slice(-3) === b.slice(-3))

const suggestionsFor = ({ byName: names, bySymbol: symbols }: Variables, text: string): readonly string[] => {
  const plain = text.replace(/\[.*$/, '').trim()
  const wanted = folded(plain)
  const found = [...names]
    .filter(([name]) => name.length > 1 && near(name, wanted))
    .map(([name, [place]]) => {
      const { names: all = [], variable } = place ?? {}
      return [variable?.name ?? '', ...(variable?.aliases ?? [])][all.indexOf(name)] ?? name
    })
  return nearestNames(plain, [...found, ...(plain.length < 3 ? symbols.keys() : [])], SUGGESTIONS_MAX)
}

/** A function of each text, worked out once for those that are said again. */
const eachOnce = <T>(texts: readonly string[], body: (text: string) => T): readonly T[] => {
  const known = new Map([...new Set(texts)].map((text) => [text, body(text)]))
  return texts.map((text) => known.get(text) as T)
}

/**
 * What words mean: symbols as written, names and aliases, words of names, units (`Pa`, `[m]`), or one of them with its
 * unit (`P [Pa]`). What is a symbol and a unit is the symbol, unless all words are units.
 *
 * @throws Fault INVALID_INPUT naming all that mean nothing here, with names that are spelled alike.
 */
export const readSaid = (variables: Variables, texts: readonly string[]): readonly Said[] => {
  const read = allUnits(variables, texts) ?? eachOnce(texts, (text) => meaning(variables, text))
  const unknown = texts.filter((_, i) => read[i] === undefined)
  if (unknown.length === 0) return texts.map((text, i) => ({ text, ...(read[i] as Meaning) }))
  const shown = unknown.slice(0, EXPLAINED_MAX).map((text) => {
    return { input: shortened(text), suggestions: suggestionsFor(variables, text) }
  })
  const [first] = shown
  const hint = didYouMean(first?.suggestions.slice(0, 1) ?? [])
  throw new Fault('INVALID_INPUT', `No operator has a variable ${first?.input}, and it is no unit.${hint}`, {
    unknown: shown,
  })
}
