import { folded } from './words.ts'

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
