import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { type Addresses, addressOf, createAddresses, documentsOf, type Placed, type Shelf } from './addresses.ts'
import { pictureFaults, pictureTitle } from './picture.ts'
import { mathExtensions, mathOf } from './tex.ts'

/** A document as the node serves it. */
export interface Rendered {
  readonly shelf: Shelf
  readonly name: string
  readonly address: string
  readonly file: string
  readonly title: string
  /** Its first sentence. */
  readonly about: string
  /** What stands below the title, as HTML that needs no script and no style of its own. */
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly depth: number; readonly text: string }[]
}

export interface Library {
  readonly documents: readonly Rendered[]
  /** A line for whatever is wrong: a link that leads nowhere, TeX that is none, a picture with a script. */
  readonly faults: readonly string[]
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => escapes[it] ?? it)

/** A heading's words without marks. */
const plainOf = (tokens: readonly Token[]): string =>
  tokens
    .map((it) => ('tokens' in it && it.tokens !== undefined ? plainOf(it.tokens) : 'text' in it ? it.text : ''))
    .join('')

/** As GitHub makes them: links of the sources and of the pages are the same. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** What is found while a document is drawn. */
interface Found {
  title: string
  readonly headings: { id: string; depth: number; text: string }[]
  readonly anchors: { readonly file: string; readonly anchor: string }[]
  readonly faults: string[]
}

interface Drawing {
  readonly root: string
  readonly placed: Placed
  readonly addresses: Addresses
  readonly found: Found
}

const picture = ({ root, found }: Drawing, path: string, words: string): string => {
  const svg = readFileSync(join(root, path), 'utf8').trim()
  const faults = pictureFaults(svg)
  found.faults.push(...faults.map((it) => `${path}: ${it}`))
  if (faults.length > 0) return ''
  const label = escaped(words === '' ? (pictureTitle(svg) ?? '') : words)
  // It stands in the page itself, so that it has the page's colours.
  const drawn = svg.replace(/<!--[\s\S]*?-->/g, '').replace('<svg', `<svg role="img" aria-label="${label}"`)
  return `<figure class="picture">${drawn}</figure>\n`
}

const linkOf = ({ placed, addresses, found }: Drawing, href: string, inner: string): string => {
  const target = addresses.resolve(placed.file, href)
  if (target.kind === 'broken') found.faults.push(`${placed.file}: ${target.why}`)
  if (target.kind !== 'address') return inner
  const { address, anchor, file } = target
  if (anchor !== undefined && file !== undefined) found.anchors.push({ file, anchor })
  return `<a href="${escaped(address)}${anchor === undefined ? '' : `#${escaped(anchor)}`}">${inner}</a>`
}

const cell = (it: Tokens.TableCell, tag: string, html: string): string =>
  `<${tag}${it.align === null ? '' : ` class="${it.align}"`}>${html}</${tag}>`

/** How each part is drawn. Whatever comes from the text is escaped; HTML in the text is text. */
const rendererOf = (drawing: Drawing): RendererObject => {
  const { placed, addresses, found } = drawing
  return {
    // A comment is for whoever reads the source; anything else of HTML is shown as it is written.
    html: ({ text }) => (/^<!--[^>]*-->\s*$/.test(text) ? '' : escaped(text)),
    heading({ tokens, depth }) {
      const text = plainOf(tokens)
      if (depth === 1 && found.title === '') {
        found.title = text
        return ''
      }
      const slug = slugOf(text)
      const repeats = found.headings.filter(({ id }) => id === slug || id.startsWith(`${slug}-`)).length
      const id = repeats === 0 ? slug : `${slug}-${repeats}`
      found.headings.push({ id, depth, text })
      const inner = this.parser.parseInline(tokens)
      return `<h${depth} id="${escaped(id)}"><a class="anchor" href="#${escaped(id)}">${inner}</a></h${depth}>\n`
    },
    codespan: ({ text }) => {
      const code = `<code>${escaped(text)}</code>`
      const address = /\.md$/.test(text) ? addresses.named(placed.file, text) : undefined
      return address === undefined ? code : `<a href="${address}">${code}</a>`
    },
    code: ({ text, lang = '' }) => {
      const language = /^[\w-]+/.exec(lang)?.[0] ?? 'text'
      return `<pre class="language-${language}" tabindex="0"><code>${escaped(text)}\n</code></pre>\n`
    },
    link({ href, tokens, text }) {
      // A code span that is a link already is none inside.
      const [only] = tokens
      const inner =
        only?.type === 'codespan' && tokens.length === 1
          ? `<code>${escaped(only.text)}</code>`
          : this.parser.parseInline(tokens)
      return linkOf(drawing, href, inner === '' ? escaped(text) : inner)
    },
    image: ({ href, text }) => {
      const path = join('protocols', placed.shelf, href)
      const isOurs = /^pictures\/[\w-]+\.svg$/.test(href) && existsSync(join(drawing.root, path))
      if (!isOurs) found.faults.push(`${placed.file}: ${href} is no picture of ours`)
      return isOurs ? picture(drawing, path, text) : escaped(text)
    },
    table({ header, rows }) {
      const line = (tag: string, cells: readonly Tokens.TableCell[]): string =>
        `<tr>${cells.map((it) => cell(it, tag, this.parser.parseInline(it.tokens))).join('')}</tr>`
      const named = header.some(({ tokens }) => tokens.length > 0)
      const head = named ? `<thead>${line('th', header)}</thead>` : ''
      const body = rows.map((row) => line('td', row)).join('\n')
      return `<div class="scroll" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`
    },
  }
}

/** A heading without words has no name to be read out: a table's empty ones become cells. */
const namedHeads = (html: string): string => html.replace(/<th( class="\w+")?><\/th>/g, '<td$1></td>')

/** The picture of a solver's setting, unless its text shows one already. */
const settingOf = (html: string, drawing: Drawing): string => {
  const path = `protocols/solvers/pictures/${drawing.placed.name}.svg`
  const wanted = existsSync(join(drawing.root, path)) && !html.includes('<figure class="picture">')
  return wanted ? picture(drawing, path, '') : ''
}

/** Display mathematics between a solver's title and its first section, in a room of its own; its picture below. */
const withEquations = (html: string, drawing: Drawing): string => {
  if (drawing.placed.shelf !== 'solvers') return html
  const end = html.search(/<h2 /)
  const [head, rest] = end === -1 ? [html, ''] : [html.slice(0, end), html.slice(end)]
  let setting = settingOf(html, drawing)
  const framed = head.replace(/(?:<div class="math"[^>]*>[\s\S]*?<\/div>\n*)+/g, (block) => {
    const shown = `<div class="equations">${block.trimEnd()}</div>\n${setting}`
    setting = ''
    return shown
  })
  return setting + framed + rest
}

/** The first sentence of a document, without marks. */
const firstSentence = (source: string): string => {
  const first = new Marked().lexer(source).find((it): it is Tokens.Paragraph => it.type === 'paragraph')
  const text = plainOf(first?.tokens ?? []).replace(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

const draw = (root: string, placed: Placed, addresses: Addresses): { readonly rendered: Rendered; found: Found } => {
  const found: Found = { title: '', headings: [], anchors: [], faults: [] }
  const drawing: Drawing = { root, placed, addresses, found }
  const tex = (text: string, display: boolean): string => {
    try {
      return mathOf(text, display)
    } catch (error) {
      found.faults.push(`${placed.file}: ${(error as Error).message}`)
      return `<code>${escaped(text)}</code>`
    }
  }
  const marked = new Marked({ gfm: true, renderer: rendererOf(drawing), extensions: mathExtensions(tex) })
  const source = readFileSync(join(root, placed.file), 'utf8')
  const parsed = marked.parse(source, { async: false })
  const html = withEquations(namedHeads(parsed), drawing)
  // What stands in the description of the interface has no title of its own.
  if (placed.name === 'interface') found.title = 'What all operations have in common'
  if (found.title === '') found.faults.push(`${placed.file}: it has no title`)
  const { shelf, name, file } = placed
  const { title, headings } = found
  const about = firstSentence(source)
  return { rendered: { shelf, name, file, title, about, address: addressOf(placed), html, headings }, found }
}

/** Every document of the repository as HTML, and what is wrong with them. @param root the repository */
export const renderLibrary = (root: string): Library => {
  const placed = documentsOf(root)
  const addresses = createAddresses(root, placed)
  const drawn = placed.map((it) => draw(root, it, addresses))
  const anchors = new Map(
    drawn.map(({ rendered }) => [rendered.file, new Set(rendered.headings.map(({ id }) => id))] as const),
  )
  const lost = drawn.flatMap(({ rendered, found }) =>
    found.anchors
      .filter(({ file, anchor }) => anchors.get(file)?.has(anchor) !== true)
      .map(({ file, anchor }) => `${rendered.file}: ${file} has no heading ${anchor}`),
  )
  return {
    documents: drawn.map(({ rendered }) => rendered),
    faults: [...drawn.flatMap(({ found }) => found.faults), ...lost],
  }
}
