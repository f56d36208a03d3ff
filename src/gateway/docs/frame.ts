import { html, type Markup, type Part } from './html.ts'
import type { Document, Library, Shelf } from './library.ts'

/** A page of the documentation without what all of them have. */
export interface Content {
  readonly title: string
  /** Its address, by which it is found in the contents. */
  readonly address: string
  /** The part of the documentation that it belongs to. */
  readonly part: string
  readonly body: Part
  /** Beside it on a wide screen, below it on a narrow one. */
  readonly beside?: Part
  /** Listed below its part in the contents while it is shown. */
  readonly siblings?: readonly DocumentLink[]
}

export interface DocumentLink {
  readonly address: string
  readonly title: string
  /** What it is, where links are listed with words. */
  readonly about?: string
}

/** Parts of the documentation and where each begins. */
const SHELVES: Readonly<Record<Shelf, string>> = {
  guide: 'Guides',
  solvers: 'Solvers',
  wire: 'Protocol',
  operators: 'Operators',
}
/** The part that a shelf is. */
export const partOf = (shelf: Shelf): string => SHELVES[shelf]

/** The links of a shelf. */
export const linksOf = ({ documents }: Library, shelf: Shelf): readonly DocumentLink[] =>
  documents.filter((it) => it.shelf === shelf).map(({ address, title, about }: Document) => ({ address, title, about }))

/** The parts of the documentation, each with where it begins. */
const parts: readonly DocumentLink[] = [
  { address: '/docs', title: 'Start' },
  { address: '/docs/guide', title: 'Guides' },
  { address: '/docs/reference', title: 'Interface' },
  { address: '/docs/solvers', title: 'Solvers' },
  { address: '/docs/operators/readme', title: 'Operators' },
  { address: '/docs/errors', title: 'Errors' },
  { address: '/docs/wire', title: 'Protocol' },
]

const linkOf = ({ address, title }: DocumentLink, current: string): Markup =>
  address === current
    ? html`<a href="${address}" aria-current="page">${title}</a>`
    : html`<a href="${address}">${title}</a>`

const contents = ({ address, part, siblings = [] }: Content): Markup => html`<ul>
${parts.map((it) => {
  const inside =
    it.title === part && siblings.length > 0
      ? html`<ul>${siblings.map((sibling) => html`<li>${linkOf(sibling, address)}</li>`)}</ul>`
      : undefined
  return html`<li${it.title === part && html` class="open"`}>${linkOf(it, address)}${inside}</li>\n`
})}</ul>`

/** A whole page. Its script and styles are files of the node, as the page's policy asks. */
export const framed = (content: Content): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${content.title} · tickmesh</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/colours.css">
<link rel="stylesheet" href="/docs/page.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/theme.js"></script>
<script type="module" src="/docs/page.js"></script>
${content.part === 'Interface' && html`<script type="module" src="/docs/reference.js"></script>\n`}</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="brand" href="/docs">tickmesh <span>documentation</span></a>
<button id="menu" type="button" aria-expanded="false" aria-controls="contents">Contents</button>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off"
 role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="What was found" hidden></ul>
</div>
<a class="node" href="/">The node’s page</a>
</header>
<div class="frame">
<nav id="contents" aria-label="Documentation">${contents(content)}</nav>
<main id="content" tabindex="-1">
<h1>${content.title}</h1>
${content.body}
</main>
${content.beside !== undefined && html`<aside aria-label="Beside the text">${content.beside}</aside>`}
</div>
</body>
</html>
`
