import { commensurable, parseUnit, type Unit } from '#core/units.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { type Phrase, phrasesOf } from './phrases.ts'
import type { OperatorBook, Vocabulary } from './vocabulary.ts'
import { folded, holds, wordsOf } from './words.ts'

/** Words of names that tell nothing of what is meant. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set([
  ...'a an the of in on at to for by from and or with its over through between under'.split(' '),
  ...'law equation relation formula function first second third number mean value two one'.split(' '),
])

/** A row as a query is held against it. */
export interface Indexed {
  readonly row: OperatorRow
  readonly name: readonly string[]
  /** How much each word of the name tells, and all of them. */
  readonly weights: readonly number[]
  readonly weight: number
  /** Phrases of the vocabulary that mean it. */
  readonly known: readonly Phrase[]
  readonly output: readonly Phrase[]
  readonly inputs: readonly Phrase[]
  /** Words of its name, of its variables, and of the phrases and names that the vocabulary has for it. */
  readonly vocabulary: ReadonlySet<string>
}

/** Rows by what a query may say of them, so that those of which it says nothing are not looked at. */
interface Index {
  readonly rows: readonly Indexed[]
  readonly byNameWord: ReadonlyMap<string, readonly number[]>
  /** By the first word of a phrase, then by the phrase as it is looked for. */
  readonly byPhrase: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>
  readonly byId: ReadonlyMap<string, number>
  /** Units of the quantities that any row calls by a name, folded without its outer spaces; one of each dimension. */
  readonly named: ReadonlyMap<string, readonly Unit[]>
}

/** Letters of a name that a noun phrase is held against. */
const NAME_LETTERS_MIN = 3

const push = <K>(lists: Map<K, number[]>, key: K, row: number): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [row])
  else if (list.at(-1) !== row) list.push(row)
}

/** How much a word of a name tells: the logarithm's place is taken by a root, which is the same on every engine. */
const weightsOf = (names: readonly (readonly string[])[]): ((word: string) => number) => {
  const count = new Map<string, number>()
  for (const name of names) for (const word of new Set(name)) count.set(word, (count.get(word) ?? 0) + 1)
  return (word) => 1 / Math.sqrt(count.get(word) ?? 1)
}

const indexedRow = (row: OperatorRow, name: readonly string[], book: OperatorBook | undefined) => {
  const known = book?.phrases ?? []
  const called = Object.values(book?.words.inputs ?? {}).flat()
  const [first] = row.solves_for
  const namesOf = (symbol: string): readonly string[] => {
    const { name: own = '', aliases = [] } = row.variables[symbol] ?? {}
    return [own, ...aliases].filter((it) => it.length > 2)
  }
  return {
    row,
    name,
    known,
    output: phrasesOf(first === undefined ? [] : namesOf(first)),
    inputs: phrasesOf(row.solves_for.slice(1).flatMap(namesOf)),
    vocabulary: new Set(
      [row.name, ...Object.keys(row.variables).flatMap(namesOf), ...known.map(({ text }) => text), ...called].flatMap(
        wordsOf,
      ),
    ),
  }
}

const tellingWords = ({ name }: OperatorRow): readonly string[] => {
  const all = wordsOf(name)
  const telling = all.filter((word) => !PLAIN_WORDS.has(word))
  return telling.length > 0 ? telling : all
}

/** Every name of every variable with the units that rows give to it. */
const unitsByName = (rows: readonly OperatorRow[]): Index['named'] => {
  const named = new Map<string, Unit[]>()
  for (const { variables } of rows) {
    for (const { name, aliases = [], unit } of Object.values(variables)) {
      const of = parseUnit(unit)
      for (const it of [name, ...aliases]) {
        const key = folded(it).trim()
        if (key.length < NAME_LETTERS_MIN) continue
        const units = named.get(key) ?? []
        named.set(key, units)
        if (!units.some((other) => commensurable(other, of))) units.push(of)
      }
    }
  }
  return named
}

const indexOf = ({ operators }: OperatorRegistry, { operators: books }: Vocabulary): Index => {
  const names = operators.map(({ row }) => tellingWords(row))
  const weightOf = weightsOf(names)
  const rows = operators.map(({ row }, i): Indexed => {
    const name = names[i] ?? []
    const weights = name.map(weightOf)
    const weight = weights.reduce((sum, it) => sum + it, 0)
    return { ...indexedRow(row, name, books.get(row.id)), weights, weight }
  })
  const byNameWord = new Map<string, number[]>()
  const byPhrase = new Map<string, Map<string, number[]>>()
  for (const [i, { name, known, output, inputs }] of rows.entries()) {
    for (const word of name) push(byNameWord, word, i)
    for (const { folded: phrase, first } of [...known, ...output, ...inputs]) {
      const phrases = byPhrase.get(first) ?? new Map<string, number[]>()
      byPhrase.set(first, phrases)
      push(phrases, phrase, i)
    }
  }
  const byId = new Map(operators.map(({ row }, i) => [row.id, i]))
  const all = operators.map(({ row }) => row)
  return { rows, byNameWord, byPhrase, byId, named: unitsByName(all) }
}

const indexes = new WeakMap<OperatorRegistry, WeakMap<Vocabulary, Index>>()

const indexFor = (registry: OperatorRegistry, vocabulary: Vocabulary): Index => {
  const own = indexes.get(registry) ?? new WeakMap<Vocabulary, Index>()
  const index = own.get(vocabulary) ?? indexOf(registry, vocabulary)
  own.set(vocabulary, index)
  indexes.set(registry, own)
  return index
}

/**
 * The rows of which a query says anything, and the phrases of any row that it holds. A phrase begins with a word of the
 * query that holds it, so that only those are looked for that begin with one.
 *
 * @param query folded. @param words of names. @param ids as the table writes them.
 */
export const rowsNear = (
  { registry, vocabulary }: { readonly registry: OperatorRegistry; readonly vocabulary: Vocabulary },
  query: string,
  { words, ids }: { readonly words: ReadonlySet<string>; readonly ids: ReadonlySet<string> },
): { readonly rows: readonly Indexed[]; readonly held: ReadonlySet<string> } => {
  const { rows, byNameWord, byPhrase, byId } = indexFor(registry, vocabulary)
  const near = new Set([...words].flatMap((word) => byNameWord.get(word) ?? []))
  const held = new Set<string>()
  for (const word of new Set(query.split(' '))) {
    for (const [phrase, its] of byPhrase.get(word) ?? []) {
      if (!holds(query, phrase)) continue
      held.add(phrase)
      for (const row of its) near.add(row)
    }
  }
  for (const id of ids) {
    const row = byId.get(id)
    if (row !== undefined) near.add(row)
  }
  return { rows: [...near].flatMap((row) => rows[row] ?? []), held }
}

/** A name of quantities within a noun phrase, and the units that rows give to them. */
export interface NamedQuantity {
  readonly name: string
  readonly units: readonly Unit[]
}

/** The longest name of quantities within a noun phrase, the last of equals. */
export const quantityNamed =
  ({ registry, vocabulary }: { readonly registry: OperatorRegistry; readonly vocabulary: Vocabulary }) =>
  (phrase: string): NamedQuantity | undefined => {
    const { named } = indexFor(registry, vocabulary)
    const words = phrase.trim().split(' ')
    for (let count = words.length; count > 0; count--) {
      for (let from = words.length - count; from >= 0; from--) {
        const name = words.slice(from, from + count).join(' ')
        const units = named.get(name)
        if (units !== undefined) return { name, units }
      }
    }
    return undefined
  }
