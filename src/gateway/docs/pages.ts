import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '#api/endpoint.ts'
import type { JsonObject } from '#gateway/openapi/json.ts'
import { problemDocs } from '#gateway/problem.ts'
import { type Page, type Pages, page } from '#gateway/static.ts'
import { readDescription } from './description.ts'
import { answeringOf, errorBody, errorCodes, errorLinks, errorsContent } from './error-pages.ts'
import { type Content, type DocumentLink, framed, linksOf, partOf } from './frame.ts'
import { cards, homeContent } from './home-page.ts'
import { html, type Markup, type Part } from './html.ts'
import { type Library, openLibrary, type Shelf } from './library.ts'
import { operationAddress, operationContent } from './operation-page.ts'
import { referenceContent, siblingsOf } from './reference-page.ts'
import { searchable } from './search-list.ts'

/** What makes a page, the first time that it is asked for. */
type Make = () => Page
type Places = readonly (readonly [address: string, make: Make])[]

/** What the documentation is made of. */
export interface DocsParts {
  /** What set-up rendered. */
  readonly directory: string
  readonly endpoints: readonly Endpoint[]
  /** The machine-readable description of those. */
  readonly openapi: () => unknown
}

/** The same text without what stands around it, for whoever shows it inside a page of its own. */
const FRAGMENT = '.fragment.html'

const OWN = [
  'page.css',
  'reference.css',
  'page.js',
  'reference.js',
  'languages.js',
  'outcome.js',
  'session.js',
  'examples.js',
  'theme.js',
]

const encoder = new TextEncoder()
const written = ({ markup }: Markup): Page => page(encoder.encode(markup), 'page.html', true)

/** A page and its fragment, each by its address. */
const both = (content: Omit<Content, 'body'>, body: () => Part): Places => [
  [content.address, () => written(framed({ ...content, body: body() }))],
  [`${content.address}${FRAGMENT}`, () => written(html`${body()}`)],
]

const whole = (content: Content): readonly [string, Make] => [content.address, () => written(framed(content))]

const documentPages = (library: Library): Places =>
  library.documents.flatMap((it) => {
    const { title, address, shelf } = it
    return both({ title, address, part: partOf(shelf), siblings: linksOf(library, shelf) }, () => library.read(it))
  })

/** A solver's page says first what its equation is; what it is for stands in the interface. */
const told = (links: readonly DocumentLink[], endpoints: readonly Endpoint[]): readonly DocumentLink[] =>
  links.map((link) => {
    const found = endpoints.find(({ id }) => id === `compute.${link.title}`)
    return found === undefined ? link : { ...link, about: found.summary }
  })

const shelfPages = (library: Library, endpoints: readonly Endpoint[]): Places =>
  (['guide', 'solvers', 'wire'] as const).map((shelf: Shelf) => {
    const links = linksOf(library, shelf)
    const siblings = shelf === 'solvers' ? told(links, endpoints) : links
    const address = `/docs/${shelf}`
    return whole({ title: partOf(shelf), address, part: partOf(shelf), siblings, body: cards(siblings) })
  })

const errorPages = (endpoints: readonly Endpoint[]): Places => {
  const answering = answeringOf(endpoints)
  return errorCodes.flatMap((code) => {
    const content = { title: code, address: problemDocs(code), part: 'Errors', siblings: errorLinks }
    return both(content, () => errorBody(code, answering, endpoints.length))
  })
}

/** The interface: the description takes a second to make, so that it is asked for with the first of these pages. */
const referencePages = ({ endpoints, openapi }: DocsParts, library: Library): Places => {
  let read: ReturnType<typeof readDescription> | undefined
  const description = () => {
    read ??= readDescription(openapi() as JsonObject)
    return read
  }
  const operation = (id: string): Make => {
    return () => {
      const found = description().operations.find((it) => it.id === id)
      if (found === undefined) throw new Error(`the description has no operation ${id}`)
      const siblings = siblingsOf(description(), found.room)
      return written(framed(operationContent(found, { description: description(), siblings })))
    }
  }
  return [
    ['/docs/reference', () => written(framed(referenceContent(description())))],
    ['/docs/search.json', () => page(encoder.encode(searchable(library, description())), 'search.json', true)],
    ...endpoints.map(({ id }) => [operationAddress(id), operation(id)] as const),
  ]
}

/**
 * The documentation at `/docs`: what set-up rendered, and what follows from the endpoints. Only what is there at start
 * exists, whatever a request spells; most of it is never asked for, so each page is made once, when it is.
 */
export const docsPages = (parts: DocsParts): Pages => {
  const library = openLibrary(parts.directory)
  const own = fileURLToPath(new URL('.', import.meta.url))
  const file = (path: string): Make => {
    return () => page(readFileSync(path), path, true)
  }
  const makes = new Map<string, Make>([
    ...OWN.map((name) => [`/docs/${name}`, file(join(own, name))] as const),
    ...[...library.files].map(([address, path]) => [address, file(path)] as const),
    whole(homeContent(linksOf(library, 'guide'))),
    whole(errorsContent),
    ...shelfPages(library, parts.endpoints),
    ...documentPages(library),
    ...errorPages(parts.endpoints),
    ...referencePages(parts, library),
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
