/** Pieces of a sentence that are something by their form alone, wherever they stand. */

export type SpanKind = 'url' | 'contact' | 'identity' | 'quoted' | 'zone'

export interface FormSpan {
  readonly kind: SpanKind
  readonly text: string
  readonly start: number
  readonly end: number
}

const QUOTED = /"([^"\n]{1,200})"|“([^”\n]{1,200})”/gu
const FORMS: readonly (readonly [kind: SpanKind, form: RegExp])[] = [
  ['url', /https?:\/\/[^\s"“”<>()]+[^\s"“”<>().,;:!?'’]/gu],
  ['contact', /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu],
  ['identity', /\bzid1[a-z2-7]{32}\b/gu],
  ['quoted', QUOTED],
  [
    'zone',
    /\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[\w+/-]*\w|\bUTC\b/gu,
  ],
]

const unquoted = (text: string): string => text.replace(/^["“]|["”]$/gu, '')

/** What stands in a sentence by its form, and the sentence with spaces in its place. */
export const spansOf = (sentence: string): { readonly spans: readonly FormSpan[]; readonly rest: string } => {
  const spans: FormSpan[] = []
  let rest = sentence
  for (const [kind, form] of FORMS) {
    rest = rest.replace(form, (text: string, ...more: readonly unknown[]) => {
      const start = more.find((it) => typeof it === 'number') as number
      spans.push({ kind, text: kind === 'quoted' ? unquoted(text) : text, start, end: start + text.length })
      return ' '.repeat(text.length)
    })
  }
  return { spans: spans.sort((a, b) => a.start - b.start), rest }
}
