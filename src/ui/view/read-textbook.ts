/** A part of a solver's page under its own heading. */
export interface Chapter {
  readonly title: string
  readonly nodes: readonly Node[]
}

/** A solver's page, taken apart. */
export interface TextbookPages {
  readonly equations: readonly Node[]
  readonly picture: Element | undefined
  readonly chapters: readonly Chapter[]
}

/** Characters of a page or a picture; ours have a tenth of it. */
const DOCUMENT_CHARS_MAX = 1_000_000

/** What a text with figures has no use for, wherever it comes from. */
const FOREIGN = 'script, style, iframe, object, embed, form, link, meta, base, foreignObject'

/** A document without anything that acts: it is our own node's, and is treated as if it were not. */
const cleaned = (root: ParentNode): void => {
  for (const element of root.querySelectorAll(FOREIGN)) element.remove()
  for (const element of root.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith('on') || /^\s*(?:javascript|data):/i.test(value)) element.removeAttribute(name)
    }
  }
}

const textAt = async (path: string, signal: AbortSignal): Promise<string | undefined> => {
  const response = await fetch(path, { signal })
  if (!response.ok) return undefined
  const text = await response.text()
  return text.length > DOCUMENT_CHARS_MAX ? undefined : text
}

/** Links within the page lead to the page itself: here a fragment names a view. */
const relinked = (root: ParentNode, page: string): void => {
  for (const link of root.querySelectorAll('a[href^="#"]')) {
    link.setAttribute('href', `${page}${link.getAttribute('href')}`)
  }
}

const chaptersOf = (body: Element): readonly Chapter[] => {
  const chapters: { title: string; nodes: Node[] }[] = []
  for (const node of [...body.childNodes]) {
    if (node instanceof Element && node.tagName === 'H2') chapters.push({ title: node.textContent ?? '', nodes: [] })
    else chapters.at(-1)?.nodes.push(node)
  }
  return chapters
}

const pictureOf = (text: string | undefined): Element | undefined => {
  if (text === undefined) return undefined
  const root = new DOMParser().parseFromString(text, 'image/svg+xml')
  const svg = root.documentElement
  if (svg.tagName !== 'svg') return undefined
  cleaned(root)
  svg.setAttribute('role', 'img')
  return svg
}

/** The page of a solver and the picture of its setting, as the node has them; nothing where it has no page. */
export const readTextbook = async (name: string, signal: AbortSignal): Promise<TextbookPages | undefined> => {
  const page = `/docs/solvers/${name}`
  const text = await textAt(`${page}.fragment.html`, signal)
  if (text === undefined) return undefined
  const { body } = new DOMParser().parseFromString(text, 'text/html')
  cleaned(body)
  relinked(body, page)
  const equations = [...body.querySelectorAll('.equations')]
  // A page that shows its equations shows its setting.
  const drawing = equations.length === 0 ? undefined : await textAt(`/docs/solvers/pictures/${name}.svg`, signal)
  return { equations, picture: pictureOf(drawing), chapters: chaptersOf(body) }
}
