import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, type Pages, page } from '#gateway/static.ts'
import { type Content, framed, type Link, linksOf, partOf } from './frame.ts'
import { html, type Markup, type Part } from './html.ts'
import { type Document, type Library, openLibrary, type Shelf } from './library.ts'

/** What makes a page, the first time that it is asked for. */
type Make = () => Page

/** The same text without what stands around it, for whoever shows it inside a page of its own. */
const FRAGMENT = '.fragment.html'

const OWN = ['page.css', 'page.js', 'theme.js']

const encoder = new TextEncoder()
const written = ({ markup }: Markup): Page => page(encoder.encode(markup), 'page.html', true)

/** A page and its fragment, each by its address. */
const both = (content: Content, make: () => Part): readonly (readonly [string, Make])[] => [
  [content.address, () => written(framed({ ...content, body: make() }))],
  [`${content.address}${FRAGMENT}`, () => written(html`${make()}`)],
]

const documentPages = (library: Library): readonly (readonly [string, Make])[] =>
  library.documents.flatMap((it: Document) => {
    const { title, address, shelf } = it
    const content = { title, address, part: partOf(shelf), siblings: linksOf(library, shelf), body: '' }
    return both(content, () => library.read(it))
  })

const cards = (links: readonly Link[]): Markup =>
  html`<ul class="cards">${links.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}</ul>`

const shelfPages = (library: Library): readonly (readonly [string, Make])[] =>
  (['guide', 'solvers', 'wire', 'operators'] as const).map((shelf: Shelf) => {
    const siblings = linksOf(library, shelf)
    const address = `/docs/${shelf}`
    const content = { title: partOf(shelf), address, part: partOf(shelf), siblings, body: cards(siblings) }
    return [address, () => written(framed(content))]
  })

/**
 * The documentation at `/docs`: what set-up rendered, and what follows from the endpoints. Only what is there at start
 * exists, whatever a request spells; most of it is never asked for, so each page is made once, when it is.
 *
 * @param directory what set-up rendered
 */
export const documentationPages = (directory: string): Pages => {
  const library = openLibrary(directory)
  const own = fileURLToPath(new URL('.', import.meta.url))
  const file = (path: string): Make => {
    return () => page(readFileSync(path), path, true)
  }
  const makes = new Map<string, Make>([
    ...OWN.map((name) => [`/docs/${name}`, file(join(own, name))] as const),
    ...[...library.files].map(([address, path]) => [address, file(path)] as const),
    ...shelfPages(library),
    ...documentPages(library),
  ])
  const made = new Map<string, Page>()
  return (asked) => {
    const make = makes.get(asked)
    if (make === undefined) return undefined
    const found = made.get(asked) ?? make()
    made.set(asked, found)
    return found
  }
}
