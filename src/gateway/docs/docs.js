// The API page: a list of all operations, and the viewer on the one that is chosen, or on the introduction. Given the
// whole description at once the viewer resolves every schema in it before it shows anything, which takes a browser
// many seconds: it gets the operation, and of the components those that the operation refers to.

/**
 * @typedef {{ operationId: string, summary?: string, tags: string[] }} Operation
 * @typedef {Record<string, Record<string, unknown>>} Components
 * @typedef {{ info: { description: string }, tags: { name: string }[], components: Components,
 *   paths: Record<string, Record<string, Operation>> }} Description
 * @typedef {{ path: string, method: string, operation: Operation, room: string, hash: string }} Listed
 * @typedef {{ specActions: { updateSpec: (text: string) => void } }} Viewer
 */

/** @type {(id: string) => HTMLElement} */
const element = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
const rooms = element('rooms')
const search = /** @type {HTMLInputElement} */ (element('search'))
/** @type {{ SwaggerUIBundle: (options: object) => Viewer }} */
const { SwaggerUIBundle } = Object(globalThis)

/**
 * Every operation with the room it is listed in: its last tag, the narrowest.
 * @param {Description} description @returns {Listed[]}
 */
const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const room = operation.tags.at(-1) ?? ''
      return { path, method, operation, room, hash: `#/${room}/${operation.operationId}` }
    }),
  )

/** What of the components a part refers to, by itself or by another one. @param {unknown} from @param {Components} all */
const needed = (from, all) => {
  /** @type {Components} */
  const found = { securitySchemes: all['securitySchemes'] ?? {} }
  /** @param {unknown} part */
  const take = (part) => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, value] of Object.entries(part)) {
      if (name !== '$ref' || typeof value !== 'string') {
        take(value)
        continue
      }
      const [kind = '', key = ''] = value.split('/').slice(2)
      if (found[kind]?.[key] !== undefined) continue
      found[kind] = { ...found[kind], [key]: all[kind]?.[key] }
      take(all[kind]?.[key])
    }
  }
  take(from)
  return found
}

/** The description with nothing in it but one operation. @param {Description} whole @param {Listed} listed */
const only = (whole, { path, method, operation, room }) => {
  const paths = { [path]: { [method]: { ...operation, tags: [room] } } }
  return {
    ...whole,
    info: { ...whole.info, description: '' },
    tags: whole.tags.filter(({ name }) => name === room),
    paths,
    components: needed(paths, whole.components),
  }
}

/** What all operations have in common, by itself. @param {Description} whole */
const introduced = (whole) => {
  return { ...whole, tags: [], paths: {}, components: {} }
}

/** @param {Listed} listed */
const linkOf = ({ path, method, operation, hash }) => {
  const link = document.createElement('a')
  link.href = hash
  link.title = operation.summary ?? ''
  const verb = document.createElement('b')
  verb.textContent = method.toUpperCase()
  link.append(verb, path)
  return link
}

/** @param {string} name @param {Listed[]} operations */
const roomOf = (name, operations) => {
  const room = document.createElement('details')
  const head = document.createElement('summary')
  head.textContent = `${name} (${operations.length})`
  room.append(head, ...operations.map(linkOf))
  return room
}

/**
 * Shows the rooms, or what of them has every word that was typed.
 * @param {Description} whole @param {Listed[]} operations
 */
const list = (whole, operations) => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operations.filter(({ path, method, operation }) => {
    const text = `${method} ${path} ${operation.operationId} ${operation.summary ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const shown = whole.tags
    .map(({ name }) => ({ name, some: found.filter(({ room }) => room === name) }))
    .filter(({ some }) => some.length > 0)
    .map(({ name, some }) => roomOf(name, some))
  for (const room of shown) room.open = words.length > 0
  rooms.replaceChildren(...(shown.length > 0 ? shown : ['No operation has these words.']))
  mark()
}

/** Marks the operation that is shown, and opens its room. */
const mark = () => {
  for (const link of rooms.querySelectorAll('a')) {
    if (link.hash === location.hash) {
      link.setAttribute('aria-current', 'true')
      link.closest('details')?.setAttribute('open', '')
    } else link.removeAttribute('aria-current')
  }
}

const start = async () => {
  const answer = await fetch('/api/openapi.json')
  if (!answer.ok) throw new Error(`the node answered ${answer.status}`)
  /** @type {Description} */
  const whole = await answer.json()
  const operations = operationsOf(whole)
  const chosen = () => {
    const found = operations.find(({ hash }) => hash === decodeURIComponent(location.hash))
    // Of no operations the viewer says that there are none: the page hides that sentence.
    document.body.classList.toggle('introduction', found === undefined)
    return found === undefined ? introduced(whole) : only(whole, found)
  }
  // One viewer for all, so that a key that was typed into it serves the next operation too.
  const viewer = SwaggerUIBundle({
    spec: chosen(),
    dom_id: '#operation',
    validatorUrl: null,
    docExpansion: 'full',
    defaultModelsExpandDepth: -1,
  })
  addEventListener('hashchange', () => {
    viewer.specActions.updateSpec(JSON.stringify(chosen()))
    mark()
    element('operation').scrollIntoView()
  })
  search.addEventListener('input', () => list(whole, operations))
  list(whole, operations)
}

start().catch((error) => {
  rooms.textContent = `The description could not be read: ${error.message}. Reload the page to try again.`
})
