import type { Respelled } from '#routing/reading.ts'
import { respelledBy } from '#routing/spelling.ts'
import { bindSentence, type SentenceBinding } from './bind.ts'
import { type Ranked, type RoutedTemplate, rankTemplates, type TemplateShelf } from './rank.ts'
import { spansOf } from './spans.ts'

/** From this score on a template is taken: one phrase that hardly means anything else, or two that speak for it. */
const SURE = 4
/** How far it must be ahead of the next one. */
const AHEAD = 1.5
/** Templates that are shown beside the one that was taken, or to choose from. */
const ALTERNATIVES_MAX = 4
/** What a confidence of a half is: as much as this speaks for nothing. */
const DOUBT = 2

/** How a sentence was read. */
export interface SentenceReading {
  /** The template that it asks for; undefined where that is not sure. */
  readonly template: RoutedTemplate | undefined
  /** Phrases that speak for it. */
  readonly because: readonly string[]
  /** From 0 to 1: how much of all that speaks for some template speaks for this one. */
  readonly confidence: number
  /** Others, best first; all that may be meant where none was taken. */
  readonly alternatives: readonly { readonly template: RoutedTemplate; readonly confidence: number }[]
  readonly binding: SentenceBinding
  readonly corrections: readonly Respelled[]
}

/** Templates, best first, whose places are held against the amounts of a sentence. */
const FITTED_MAX = 8
/** What an amount in a place that is named beside it speaks for a template, and one without a place against it. */
const FIT = 0.75

/** Templates ranked again by what their places make of the amounts of a sentence. */
const fitted = (ranked: readonly Ranked[], text: string): readonly Ranked[] =>
  ranked
    .slice(0, FITTED_MAX)
    .map((it) => {
      const { bound, unread } = bindSentence(it.template.parameters, text)
      const placed = bound.filter(({ value, because }) => typeof value === 'number' && because !== 'its unit')
      return { ...it, score: it.score + FIT * (placed.length - unread.length) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.template.id < b.template.id ? -1 : 1))

const NOTHING: SentenceBinding = { bound: [], unread: [] }
const HUNDRED = 100

/** As much as speaks for a template, of all that speaks for it or the strongest other one, and a doubt beside. */
const confidenceOf = (it: Ranked, all: readonly Ranked[]): number => {
  const other = all.find(({ template }) => template !== it.template)?.score ?? 0
  return Math.round((HUNDRED * it.score) / (it.score + other + DOUBT)) / HUNDRED
}

/** Corrects the words of a sentence, and leaves what is something by its form. */
const corrected = (sentence: string, { lexicon }: TemplateShelf) => {
  const { spans } = spansOf(sentence)
  const corrections: Respelled[] = []
  let [text, from] = ['', 0]
  for (const { start, end } of [...spans, { start: sentence.length, end: sentence.length }]) {
    const own = respelledBy(sentence.slice(from, start), lexicon)
    corrections.push(...own.corrections)
    text += own.query + sentence.slice(start, end)
    from = end
  }
  return { text, corrections }
}

/**
 * Reads a sentence: which template it asks for, by phrases, and what it says of its parameters, by units, forms and
 * the words beside them. The same sentence is read the same way for ever.
 *
 * @param named a template that was chosen already.
 */
export const readSentence = (shelf: TemplateShelf, sentence: string, named?: RoutedTemplate): SentenceReading => {
  const { text, corrections } = corrected(sentence, shelf)
  const ranked = fitted(rankTemplates(shelf, spansOf(text).rest), text)
  const [best, second] = ranked
  const isSure = best !== undefined && best.score >= SURE && best.score - (second?.score ?? 0) >= AHEAD
  const chosen = named ?? (isSure ? best.template : undefined)
  const own = ranked.find(({ template }) => template === chosen)
  const others = ranked.filter(({ template }) => template !== chosen).slice(0, ALTERNATIVES_MAX)
  return {
    template: chosen,
    because: own?.because ?? [],
    confidence: named === undefined ? (best === undefined ? 0 : confidenceOf(best, ranked)) : 1,
    alternatives: others.map((it) => ({ template: it.template, confidence: confidenceOf(it, ranked) })),
    binding: chosen === undefined ? NOTHING : bindSentence(chosen.parameters, text),
    corrections,
  }
}
