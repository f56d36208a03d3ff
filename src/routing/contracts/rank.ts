import type { TemplateParameter } from '#numerics/contracts/templates/parameter.ts'
import { type Phrase, phrasesOf } from '#routing/phrases.ts'
import { type Lexicon, lexiconOfTexts } from '#routing/spelling.ts'
import { folded, holds } from '#routing/words.ts'

/** A template as the router sees it. */
export interface RoutedTemplate {
  readonly id: string
  readonly category: string
  readonly title: string
  readonly summary: string
  readonly keywords: readonly string[]
  readonly words: {
    readonly sure: readonly string[]
    readonly likely: readonly string[]
    readonly hint?: readonly string[]
    readonly not?: readonly string[]
  }
  readonly parameters: Readonly<Record<string, TemplateParameter>>
}

/** What a phrase of each kind is worth. */
const WORTH = { sure: 4, likely: 2, hint: 0.5, keyword: 0.5, not: -3 } as const
type Kind = keyof typeof WORTH

interface Weighed {
  readonly phrase: Phrase
  readonly kind: Kind
}

/** Templates made ready: their phrases folded, and every word that a slip may be of. */
export interface TemplateShelf {
  readonly books: readonly { readonly template: RoutedTemplate; readonly phrases: readonly Weighed[] }[]
  readonly lexicon: Lexicon
}

/** How well a template is what a sentence asks for, and by which phrases. */
export interface Ranked {
  readonly template: RoutedTemplate
  readonly score: number
  readonly because: readonly string[]
}

const weighed = (texts: readonly string[], kind: Kind): readonly Weighed[] =>
  phrasesOf(texts).map((phrase) => ({ phrase, kind }))

const bookOf = (template: RoutedTemplate): TemplateShelf['books'][number] => {
  const { sure, likely, hint = [], not = [] } = template.words
  const own = [...weighed(sure, 'sure'), ...weighed(likely, 'likely'), ...weighed(hint, 'hint')]
  const taken = new Set(own.map(({ phrase }) => phrase.folded))
  const keywords = weighed(template.keywords, 'keyword').filter(({ phrase }) => !taken.has(phrase.folded))
  return { template, phrases: [...own, ...keywords, ...weighed(not, 'not')] }
}

/** Makes templates ready to be looked for. */
export const shelfOf = (templates: readonly RoutedTemplate[]): TemplateShelf => ({
  books: templates.map(bookOf),
  lexicon: lexiconOfTexts(
    templates.flatMap(({ title, summary, keywords, words, parameters }) => [
      ...[title, summary, ...keywords, ...words.sure, ...words.likely, ...(words.hint ?? []), ...(words.not ?? [])],
      ...Object.values(parameters).flatMap(({ said = [], nouns = [], description }) => [
        ...said,
        ...nouns,
        description,
      ]),
    ]),
  ),
})

/** Phrases of a book that a text holds; one within a longer one that it holds is part of that. */
const heldOf = (text: string, phrases: readonly Weighed[]): readonly Weighed[] => {
  const held = phrases.filter(({ phrase }) => holds(text, phrase.folded))
  return held.filter(
    (it) =>
      !held.some(
        (other) =>
          (other.kind === 'not') === (it.kind === 'not') &&
          other.phrase.folded.length > it.phrase.folded.length &&
          other.phrase.folded.includes(it.phrase.folded),
      ),
  )
}

/** All templates that a sentence says anything of, best first, equal ones in the order of their ids. */
export const rankTemplates = ({ books }: TemplateShelf, sentence: string): readonly Ranked[] => {
  const text = folded(sentence)
  return books
    .map(({ template, phrases }) => {
      const held = heldOf(text, phrases)
      const score = held.reduce((sum, { kind }) => sum + WORTH[kind], 0)
      return { template, score, because: held.filter(({ kind }) => kind !== 'not').map(({ phrase }) => phrase.text) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.template.id < b.template.id ? -1 : 1))
}
