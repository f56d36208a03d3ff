import { Fault } from '#core/fault.ts'
import { type BodyRow, bodyOf, type Material, type MaterialRow, materialOf } from './materials.ts'
import { type Phrase, phrasesOf } from './phrases.ts'

/** What people say when they mean a solver, beside its title and summary: one line of `solvers.jsonl`. */
export interface SolverWords {
  readonly solver: string
  /** Phrases that nearly nothing else goes by. */
  readonly sure: readonly string[]
  /** Phrases that point to it among a few. */
  readonly likely: readonly string[]
  /** Words of its surroundings. */
  readonly hint: readonly string[]
  /** Phrases that speak against it. */
  readonly not: readonly string[]
  /** Names of its inputs in the words of a query, by path; the first of a quantity takes an amount that has no name. */
  readonly inputs: Readonly<Record<string, readonly string[]>>
  /** Phrases that choose the value of an input: phrase, path, value. */
  readonly settings: readonly (readonly [phrase: string, path: string, value: string | number | boolean])[]
  /** Inputs that are not read where an input has a value: path, value, paths. Amounts are not bound to them. */
  readonly without: readonly (readonly [path: string, value: string, paths: readonly string[]])[]
  /** Inputs that a named material gives: path, name of the property. */
  readonly materials?: Readonly<Record<string, string>>
  /** Quantities that are no input and give one: `R0` is β/γ. */
  readonly derived?: readonly Derived[]
  /** Where a function of x, y, z goes: its path, the path and value that choose it, the path of its dimension. */
  readonly expression?: {
    readonly path: string
    readonly choose: readonly [string, string]
    readonly dimension: string
  }
  /** Words that change nothing of its question: what falls, what is heated. */
  readonly also?: readonly string[]
  /** Phrases of a case that is not the default one, and inputs of which one must be read then. */
  readonly needs?: readonly (readonly [phrase: string, paths: readonly string[]])[]
  /** Inputs without whose values a question that gives another one has no answer: that one, and those it needs. */
  readonly essential?: Readonly<Record<string, readonly string[]>>
  /** Questions that the solver is near to and does not answer: phrases, and what it does instead. */
  readonly unanswered?: { readonly phrases: readonly string[]; readonly instead: string }
}

/** A quantity by other names than an input's: times another input, or one over it, it is the input `to`. */
export interface Derived {
  readonly names: readonly string[]
  readonly to: string
  /** Path of the input that it is multiplied by. */
  readonly times?: string
  readonly inverse?: true
}

/** A value that a variable has where a question leaves it out, and what that means in words. */
export type Usual = readonly [value: number, meaning: string]

/** What people say when they mean an operator and do not use its name: one line of `operators.jsonl`. */
export interface OperatorWords {
  readonly operator: string
  readonly phrases: readonly string[]
  /** Names of variables in the words of a query, by symbol, beside those of its row. */
  readonly inputs?: Readonly<Record<string, readonly string[]>>
  /** Values of variables that a question leaves out: a force square to its arm. The reading lists them. */
  readonly usual?: Readonly<Record<string, Usual>>
  /** True of a row that says little of itself: every word of a question must be known. */
  readonly strict?: true
  /** Phrases with which something else is meant. */
  readonly not?: readonly string[]
  /** Properties of a body of the sky that variables take where it is named: symbol, property. */
  readonly bodies?: Readonly<Record<string, string>>
}

/** A solver's phrases, ready to be looked for. */
export interface Book {
  readonly words: SolverWords
  readonly sure: readonly Phrase[]
  readonly likely: readonly Phrase[]
  readonly hint: readonly Phrase[]
  readonly not: readonly Phrase[]
}

/** An operator's words, ready to be looked for. */
export interface OperatorBook {
  readonly words: OperatorWords
  readonly phrases: readonly Phrase[]
}

/** The words of all solvers and operators that have any, and the materials that words name. */
export interface Vocabulary {
  readonly books: ReadonlyMap<string, Book>
  readonly operators: ReadonlyMap<string, OperatorBook>
  readonly materials: readonly Material[]
  readonly bodies: readonly Material[]
}

/** Texts of the four files. */
export interface VocabularyTexts {
  readonly solvers: string
  readonly operators: string
  readonly materials: string
  readonly bodies: string
}

const rowsOf = <T>(text: string): readonly T[] =>
  text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as T]
    } catch {
      throw new Fault('INVALID_INPUT', `Line ${i + 1} of the routing words is not JSON.`, { line: i + 1 })
    }
  })

/** The vocabulary of the files in `protocols/routing`. @throws Fault INVALID_INPUT for a line that is not JSON. */
export const vocabularyOf = (texts: VocabularyTexts): Vocabulary => {
  const books = rowsOf<SolverWords>(texts.solvers).map((words): [string, Book] => {
    const { solver, sure, likely, hint, not } = words
    const [a, b, c, d] = [phrasesOf(sure), phrasesOf(likely), phrasesOf(hint), phrasesOf(not)]
    return [solver, { words, sure: a, likely: b, hint: c, not: d }]
  })
  const operators = rowsOf<OperatorWords>(texts.operators).map((it): [string, OperatorBook] => [
    it.operator,
    { words: it, phrases: phrasesOf(it.phrases) },
  ])
  const materials = rowsOf<MaterialRow>(texts.materials).map(materialOf)
  const bodies = rowsOf<BodyRow>(texts.bodies).map(bodyOf)
  return { books: new Map(books), operators: new Map(operators), materials, bodies }
}
