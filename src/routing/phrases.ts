import { folded } from './words.ts'

/** A phrase as written, and as it is looked for. */
export interface Phrase {
  readonly text: string
  readonly folded: string
  /** Its first word: a query without it does not hold the phrase. */
  readonly first: string
}

/** Phrases of a list, each once. */
export const phrasesOf = (texts: readonly string[]): readonly Phrase[] => {
  const all = texts.map((text) => {
    const phrase = folded(text)
    return { text, folded: phrase, first: phrase.slice(1, phrase.indexOf(' ', 1)) }
  })
  return all.filter((it, i) => all.findIndex((other) => other.folded === it.folded) === i)
}
