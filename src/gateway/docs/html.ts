/** HTML that may stand in a page: made by `html`, which escapes whatever is put into it, or rendered by set-up. */
export interface Markup {
  readonly markup: string
}

/** What may be put into HTML: text is escaped, markup stands as it is, nothing is left out. */
export type Part = Markup | string | number | undefined | false | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const textOf = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (it) => ESCAPES[it] ?? it)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(textOf).join('')
}

/** A piece of a page: a template whose words are ours and whose parts are escaped. */
export const html = (words: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: words.reduce((sum, word, at) => `${sum}${word}${textOf(parts[at])}`, ''),
})

/** HTML that set-up rendered from the repository's own documents: escaped there, and served as it is. */
export const rendered = (markup: string): Markup => ({ markup })

/** Links to parts of a page, by their ids; what is false is not there. */
export const jumps = (parts: readonly (false | readonly [id: string, title: string])[]): Markup =>
  html`<p class="jumps"><span class="unseen">On this page: </span>${parts.map(
    (it) => it !== false && html`<a href="#${it[0]}">${it[1]}</a> `,
  )}</p>`

/** A sentence with `code` between backticks, as texts of the interface have it. */
export const withCode = (text: string): Part =>
  text.split(/(`[^`]+`)/).map((it) => (/^`.*`$/.test(it) ? html`<code>${it.slice(1, -1)}</code>` : it))
