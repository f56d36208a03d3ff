import type { Description, Operation } from './description.ts'
import type { Content, DocumentLink } from './frame.ts'
import { html, jumps, type Markup, withCode } from './html.ts'
import { operationAddress } from './operation-page.ts'

const slugOf = (room: string): string => room.toLowerCase().replaceAll(/\W+/g, '-')

const row = ({ id, method, path, summary }: Operation): Markup => html`<li>
<a href="${operationAddress(id)}"><b>${method}</b> <code>${path}</code></a>
<p>${withCode(summary)}</p></li>\n`

/** Rooms as links to where they stand on the page of all operations. */
export const roomLinks = ({ rooms, operations }: Description): readonly DocumentLink[] =>
  rooms
    .filter(({ name }) => operations.some(({ room }) => room === name))
    .map(({ name }) => ({ address: `/docs/reference#${slugOf(name)}`, title: name }))

/** Operations of a room as links. */
export const siblingsOf = ({ operations }: Description, room: string): readonly DocumentLink[] =>
  operations.filter((it) => it.room === room).map(({ id }) => ({ address: operationAddress(id), title: id }))

/** Every operation by its room, after what all of them have in common. */
export const referenceContent = (description: Description): Content => {
  const { rooms, operations } = description
  return {
    title: 'Interface',
    address: '/docs/reference',
    part: 'Interface',
    siblings: roomLinks(description),
    body: html`<p>The same for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>,
<a href="/api/endpoints">a list in short</a>. What all operations have in common stands
<a href="/docs/wire/interface">on a page of its own</a>.</p>
${jumps(rooms.map(({ name }) => operations.some(({ room }) => room === name) && [slugOf(name), name]))}
${rooms.map(({ name, about }) => {
  const some = operations.filter(({ room }) => room === name)
  if (some.length === 0) return undefined
  return html`<h2 id="${slugOf(name)}">${name}</h2><p class="about">${about}</p>
<ul class="operations">${some.map(row)}</ul>\n`
})}`,
  }
}
