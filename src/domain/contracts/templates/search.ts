import type { Template } from '#numerics/contracts/templates/template.ts'
import { wordsOf } from '#routing/words.ts'

/** What a word of a query counts where it stands. */
const WORTH = { title: 4, id: 4, keywords: 3, category: 2, summary: 1 } as const

/** What templates are looked for by. */
export interface TemplateQuery {
  readonly category?: string | undefined
  readonly q?: string | undefined
}

const textsOf = ({
  id,
  title,
  category,
  summary,
  keywords,
}: Template): Readonly<Record<keyof typeof WORTH, string>> => ({
  title,
  id: id.replaceAll('-', ' '),
  keywords: keywords.join(' '),
  category,
  summary,
})

/** How well a template holds every word of a query, the last one as a beginning; 0 where it lacks one. */
const scoreOf = (template: Template, words: readonly string[]): number => {
  const texts = Object.entries(textsOf(template)).map(([name, text]) => ({ name, words: wordsOf(text) }))
  let score = 0
  for (const word of words) {
    const worth = texts
      .filter((it) => it.words.some((own) => own.startsWith(word)))
      .reduce((sum, { name }) => sum + WORTH[name as keyof typeof WORTH], 0)
    if (worth === 0) return 0
    score += worth
  }
  return score
}

/** Templates of a category that hold every word of a query, best first; without words by id. */
export const searchTemplates = (all: readonly Template[], { category, q = '' }: TemplateQuery): readonly Template[] => {
  const words = wordsOf(q)
  const within = all.filter((it) => category === undefined || it.category === category)
  if (words.length === 0) return within
  return within
    .map((template) => ({ template, score: scoreOf(template, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.template.id < b.template.id ? -1 : 1))
    .map(({ template }) => template)
}
