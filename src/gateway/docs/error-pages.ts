import type { Endpoint } from '#api/endpoint.ts'
import { Fault, type FaultClass, type FaultCode, faultCodes, faults } from '#core/fault.ts'
import { faultHelp } from '#core/fault-help.ts'
import { faultsOf } from '#gateway/openapi/refusals.ts'
import { problemDocs, toProblem } from '#gateway/problem.ts'
import type { Content, DocumentLink } from './frame.ts'
import { html, type Markup, type Part, withCode } from './html.ts'
import { operationAddress } from './operation-page.ts'

type Code = FaultCode | 'INTERNAL'

const classes: Readonly<Record<FaultClass | 'bug', string>> = {
  caller: 'what was sent: the same call is always refused',
  state: 'how things stand here, for this caller',
  gate: 'the result: it was computed and is not good enough',
  commit: 'the log: it takes nothing now, whoever writes',
  node: 'this node, or another that it needs',
  bug: 'the node: this is a bug',
}

const RETRY = {
  yes: 'Yes: the same call may succeed later.',
  no: 'No: the same call is refused again until something changes.',
}

const ID = '3f0c8a52-6d0e-4c57-9c7b-2f1f0f7b9a10'

const rowOf = (code: Code) =>
  code === 'INTERNAL'
    ? ({ status: 500, class: 'bug', title: 'The node failed.', retryable: false } as const)
    : faults[code]

/** Every code, that of a bug last. */
export const errorCodes: readonly Code[] = [...faultCodes, 'INTERNAL']

/** All codes as links. */
export const errorLinks: readonly DocumentLink[] = errorCodes.map((code) => ({
  address: problemDocs(code),
  title: code,
}))

/** Which operations answer a code. */
export type Answering = (code: Code) => readonly Endpoint[]

/** Which of the operations answer a code, worked out once. */
export const answeringOf = (endpoints: readonly Endpoint[]): Answering => {
  let byCode: ReadonlyMap<string, readonly Endpoint[]> | undefined
  const gathered = (): ReadonlyMap<string, readonly Endpoint[]> => {
    const found = new Map<string, Endpoint[]>()
    for (const endpoint of endpoints) {
      for (const code of faultsOf(endpoint)) found.set(code, [...(found.get(code) ?? []), endpoint])
    }
    return found
  }
  return (code) => {
    byCode ??= gathered()
    return code === 'INTERNAL' ? endpoints : (byCode.get(code) ?? [])
  }
}

const operations = (some: readonly Endpoint[], all: number): Part => {
  if (some.length === 0) return html`<p>No operation of this node gives it by itself.</p>`
  if (some.length === all) return html`<p>Every operation.</p>`
  return html`<details${some.length <= 12 && html` open`}><summary>${some.length} of ${all} operations</summary>
<ul class="operations plain">${some.map(
    ({ id, route }) => html`<li><a href="${operationAddress(id)}"><code>${route}</code></a></li>\n`,
  )}</ul></details>`
}

/** A refusal: when it is given, what to do, who gives it, and how it looks. */
export const errorBody = (code: Code, answering: Answering, all: number): Markup => {
  const { when, remedy } = faultHelp[code]
  const { status, class: kind, title, retryable } = rowOf(code)
  const { problem } = toProblem(code === 'INTERNAL' ? undefined : new Fault(code), ID)
  return html`<p class="lead">${withCode(title)}</p>
<dl class="facts">
<dt>When</dt><dd>${withCode(when)}</dd>
<dt>What to do</dt><dd>${withCode(remedy)}</dd>
<dt>Retryable</dt><dd>${RETRY[retryable ? 'yes' : 'no']}</dd>
<dt>Status</dt><dd><code>${status}</code></dd>
<dt>It is about</dt><dd>${classes[kind]} (<code>${kind}</code>)</dd>
</dl>
<h2 id="operations">Operations that answer it</h2>
${operations(answering(code), all)}
<h2 id="example">Example</h2>
<pre tabindex="0" class="language-json"><code>HTTP/1.1 ${status}
Content-Type: application/problem+json

${JSON.stringify(problem, null, 2)}</code></pre>
<p class="about">Other members depend on the case; <code>detail</code> says what happened in words.</p>`
}

/** The list of all refusals by status. */
export const errorsContent: Content = {
  title: 'Errors',
  address: '/docs/errors',
  part: 'Errors',
  siblings: errorLinks,
  body: html`<p>Every refusal has a code, and is a document of RFC 9457 whose member <code>docs</code> leads to the
code’s page. A call that was refused changed nothing and cost nothing.</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th>Status</th><th>Code</th><th>What it says</th><th>Retry</th></tr></thead><tbody>
${errorCodes
  .map((code) => ({ code, ...rowOf(code) }))
  .toSorted((a, b) => a.status - b.status)
  .map(
    ({ code, status, title, retryable }) =>
      html`<tr><td>${status}</td><td><a href="${problemDocs(code)}">${code}</a></td>
<td>${title}</td><td>${retryable ? 'yes' : 'no'}</td></tr>\n`,
  )}</tbody></table></div>`,
}
