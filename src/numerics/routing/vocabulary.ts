import { Fault } from '#core/fault.ts'
import { folded } from './words.ts'

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
  /** Questions that the solver is near to and does not answer: phrases, and what it does instead. */
  readonly unanswered?: { readonly phrases: readonly string[]; readonly instead: string }
}

/** What people say when they mean an operator and do not use its name: one line of `operators.jsonl`. */
interface OperatorWords {
  readonly operator: string
  readonly phrases: readonly string[]
}

/** A phrase as written, and as it is looked for. */
export interface Phrase {
  readonly text: string
  readonly folded: string
}

/** Phrases of a list, each once. */
export const phrasesOf = (texts: readonly string[]): readonly Phrase[] => {
  const all = texts.map((text) => ({ text, folded: folded(text) }))
  return all.filter((it, i) => all.findIndex((other) => other.folded === it.folded) === i)
}

/** A solver's phrases, ready to be looked for. */
export interface Book {
  readonly words: SolverWords
  readonly sure: readonly Phrase[]
  readonly likely: readonly Phrase[]
  readonly hint: readonly Phrase[]
  readonly not: readonly Phrase[]
}

/** The words of all solvers and operators that have any. */
export interface Vocabulary {
  readonly books: ReadonlyMap<string, Book>
  readonly operators: ReadonlyMap<string, readonly Phrase[]>
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

/** The vocabulary of `solvers.jsonl` and `operators.jsonl`. @throws Fault INVALID_INPUT for a line that is not JSON. */
export const vocabularyOf = (texts: { readonly solvers: string; readonly operators: string }): Vocabulary => {
  const books = rowsOf<SolverWords>(texts.solvers).map((words): [string, Book] => {
    const { solver, sure, likely, hint, not } = words
    const [a, b, c, d] = [phrasesOf(sure), phrasesOf(likely), phrasesOf(hint), phrasesOf(not)]
    return [solver, { words, sure: a, likely: b, hint: c, not: d }]
  })
  const operators = rowsOf<OperatorWords>(texts.operators).map((it): [string, readonly Phrase[]] => [
    it.operator,
    phrasesOf(it.phrases),
  ])
  return { books: new Map(books), operators: new Map(operators) }
}
