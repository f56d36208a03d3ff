import { STATUS_CODES } from 'node:http'
import type { Json } from '#core/canonical.ts'
import { isObject, type JsonObject } from '#gateway/openapi/json.ts'
import { problemDocs } from '#gateway/problem.ts'
import type { AnswerKind, Description, Operation } from './description.ts'
import { examplesOf, filled } from './examples.js'
import type { Content, DocumentLink } from './frame.ts'
import { html, jumps, type Markup, type Part, withCode } from './html.ts'
import { membersList, parameterList } from './schema.ts'

/** Where a node listens unless its settings say otherwise; the page's script puts its own in its place. */
const ORIGIN = 'http://127.0.0.1:7770'
/** Stands for the key; the page's script shows the visitor's own there, masked. */
const KEY = 'YOUR_KEY'

/** The page of an operation. */
export const operationAddress = (id: string): string => `/docs/reference/${id}`

const credentials: Readonly<Record<string, string>> = {
  none: 'Needs no key.',
  optional: 'Needs no key; a key that is sent must be good.',
  bearer: 'Needs a key: `Authorization: Bearer <key>`.',
  handshake: 'For other nodes: the header of the closed mesh.',
  'signed-link': 'Needs no key: a signed link has its signature in the address.',
  'stream-session': 'Needs no key: it is for a session of the channel, whose id stands in the address.',
}
const reaches: Readonly<Record<string, string>> = {
  anyone: 'Anyone may call it.',
  payer: 'Any key may call it, a demo key too.',
  account: 'It must be the key of an account.',
  'own-key': 'It must be a key of one’s own.',
  'own-list': 'It lists what is of the key’s owner.',
  'node-owner': 'For the owner of the node.',
  person: 'For the owner of the node in person: a session of the page, opened within a quarter of an hour.',
  'owner-key': 'For the owner of the node, on its own machine.',
  envelope: 'For those who may see the receipt.',
  job: 'For whoever began the job.',
  machine: 'For those who have a role in the machine.',
  reactor: 'For those who have a role in the reactor’s machine.',
  share: 'For whoever has the token of the share.',
}

/** Parameters that are filled in for a call: headers are told in words. */
const fields = ({ parameters }: Operation) => parameters.filter(({ place }) => place !== 'header')

/** What is filled in at first: what the path needs, and what must stand in the query. */
const firstValues = (operation: Operation): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields(operation)
      .filter(({ place, required, example }) => place === 'path' || required || example !== undefined)
      .filter(({ place, required, schema }) => place === 'path' || required || schema['default'] === undefined)
      .map(({ name, example = name }) => [name, example]),
  )

/** The call of an operation as its page shows it. */
export const callOf = (operation: Operation, { origin = ORIGIN, key = KEY } = {}) => {
  const { method, path, body, credential } = operation
  return {
    method,
    path: filled(path, firstValues(operation)),
    origin,
    ...(body === undefined ? {} : { body: body.example }),
    ...(credential === 'bearer' ? { key } : {}),
  }
}

const examples = (operation: Operation): Markup => html`<section class="examples" aria-labelledby="call">
<h2 id="call">The call</h2>
<div class="languages" role="tablist" aria-label="Language"></div>
${examplesOf(callOf(operation)).map(
  ({ language, text }) => html`<div class="example" data-language="${language}">
<h3 class="language">${language}</h3>
<pre tabindex="0" aria-label="${language}"><code>${text}</code></pre>
<button type="button" class="copy">Copy</button>
</div>
`,
)}</section>`

/** An answer's members by what they are: figures, receipt, diagnostics. Another answer stays in one piece. */
const grouped = (example: JsonObject, groups: Description['groups']): readonly (readonly [string, JsonObject])[] => {
  const placed = Object.values(groups).flat()
  if (!placed.every((name) => Object.hasOwn(example, name))) return [['', example]]
  const pick = (wanted: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(example).filter(([name]) => wanted(name)))
  return [
    ['Figures', pick((name) => !placed.includes(name))],
    ...Object.entries(groups).map(([name, members]) => [name, pick((it) => members.includes(it))] as const),
  ]
}

const exampleAnswer = ({ answers }: Operation, { groups }: Description): Part => {
  const found = answers.find(({ example }) => example !== undefined)
  if (found?.example === undefined) return undefined
  const { example, status } = found
  const parts: readonly (readonly [string, Json])[] = isObject(example) ? grouped(example, groups) : [['', example]]
  return html`<section class="answer-example"><h2 id="example">Example answer</h2>
<p class="soft">${status} ${STATUS_CODES[Number(status)]}. Members have the form of the answer; figures are made up.</p>
${parts.map(
  ([name, part]) => html`${name !== '' && html`<h3>${name}</h3>`}
<pre tabindex="0" aria-label="Answer"><code>${JSON.stringify(part, null, 2)}</code></pre>
`,
)}</section>`
}

/** What the page's script needs to write and make the call. */
const trying = (operation: Operation, { groups }: Description): Markup => {
  const { method, path, body, credential, streams } = operation
  const values = firstValues(operation)
  return html`<form class="try" data-method="${method}" data-path="${path}" data-credential="${credential}"${
    streams && html` data-streams`
  } data-groups="${JSON.stringify(groups)}">
<h2 id="try">Try it</h2>
<p class="who soft" role="status"></p>
${fields(operation).map(
  ({ name, required }) => html`<label>${name}${required && ' (required)'}
<input name="${name}" value="${values[name] ?? ''}" autocomplete="off" spellcheck="false"></label>
`,
)}${
  body !== undefined &&
  html`<label>Body
<textarea name=" body" rows="8" spellcheck="false">${JSON.stringify(body.example, null, 2)}</textarea></label>
`
}<button type="submit">Send</button>
<div class="outcome" role="region" aria-label="What came back" aria-live="polite" hidden></div>
</form>`
}

const answerLine = ({ status, description, types }: AnswerKind): Markup =>
  html`<li><code class="name">${status}</code> ${description}${
    types.length > 0 && html` <span class="type">${types.join(', ')}</span>`
  }</li>`

const refusalList = (answers: readonly AnswerKind[], shows: (code: string) => boolean): Markup =>
  html`<ul class="refusals">${answers.flatMap(({ status, codes }) =>
    codes
      .filter(shows)
      .map((code) => html`<li><code>${status}</code> <a href="${problemDocs(code)}">${code}</a></li>\n`),
  )}</ul>`

/** Its own refusals, and folded those that nearly every operation can give. */
const refusals = (answers: readonly AnswerKind[], { common }: Description): Markup =>
  html`${refusalList(answers, (code) => !common.has(code))}
<details><summary>And what nearly every call can meet</summary>
${refusalList(answers, (code) => common.has(code))}</details>`

const body = (operation: Operation, description: Description): Part => {
  const { resolve } = description
  const { method, path, summary, parameters, answers, credential, reach, aliases, notes } = operation
  const good = answers.filter(({ codes }) => codes.length === 0)
  const schema = good.find((it) => it.schema !== undefined)?.schema
  const shown = parameters.map(({ name, schema: part, description: words, required }) => ({
    name,
    required,
    part: words === undefined ? part : { ...part, description: words },
  }))
  const here = jumps([
    ['call', 'The call'],
    shown.length > 0 && ['parameters', 'Parameters'],
    operation.body !== undefined && ['body', 'Body'],
    ['answers', 'Answers'],
    ['refusals', 'Refusals'],
    ['try', 'Try it'],
    answers.some(({ example }) => example !== undefined) && ['example', 'Example answer'],
  ])
  return html`<p class="route"><b>${method}</b> <code>${path}</code></p>
<p>${withCode(summary)}</p>
<p class="soft">${withCode(credentials[credential] ?? '')} ${credential === 'bearer' && (reaches[reach ?? ''] ?? '')}
${notes.map((it) => html`${withCode(it)} `)}${aliases.length > 0 && html`Also under ${aliases.join(', ')}.`}</p>
${here}
${examples(operation)}
${shown.length > 0 && html`<h2 id="parameters">Parameters</h2>${parameterList(shown, resolve)}`}
${operation.body !== undefined && html`<h2 id="body">Body</h2>${membersList(operation.body.schema, resolve)}`}
<h2 id="answers">Answers</h2>
<ul class="members">${good.map(answerLine)}</ul>
${
  schema !== undefined &&
  html`<details><summary>Members of the answer</summary>
${membersList(resolve(schema).schema, resolve)}</details>`
}
<h2 id="refusals">Refusals</h2>
${refusals(answers, description)}`
}

/** An operation: its call in three languages, what it takes and answers, and beside it a form that makes it. */
export const operationContent = (
  operation: Operation,
  { description, siblings }: { readonly description: Description; readonly siblings: readonly DocumentLink[] },
): Content => ({
  title: operation.id,
  address: operationAddress(operation.id),
  part: 'Interface',
  siblings,
  body: body(operation, description),
  beside: html`${trying(operation, description)}${exampleAnswer(operation, description)}`,
})
