import type { Content, DocumentLink } from './frame.ts'
import { html, type Markup, withCode } from './html.ts'

/** Links with what each is about. */
export const cards = (links: readonly DocumentLink[]): Markup =>
  html`<ul class="cards">${links.map(
    ({ address, title, about = '' }) =>
      html`<li><a href="${address}">${title}</a>${about !== '' && html`<p>${withCode(about)}</p>`}</li>\n`,
  )}</ul>`

const PARTS: readonly DocumentLink[] = [
  {
    address: '/docs/reference',
    title: 'Interface',
    about: 'Every operation: what it takes and answers, in curl, Python and TypeScript, with a form that calls it.',
  },
  {
    address: '/docs/errors',
    title: 'Errors',
    about: 'Every code: when it is given, what to do, and whether to try again.',
  },
  {
    address: '/docs/solvers',
    title: 'Solvers',
    about: 'The equations of each, how it is solved, what its check can see and what it cannot.',
  },
  {
    address: '/docs/wire',
    title: 'Protocol',
    about: 'Byte forms, signatures and proofs: what another implementation needs.',
  },
]

const START = `curl -s http://127.0.0.1:7770/api/daemon/status
KEY=$(curl -s http://127.0.0.1:7770/api/demo-key | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')
curl -s http://127.0.0.1:7770/api/svc/heat -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"nx": 96, "ny": 96}'`

/** Where the documentation begins. */
export const homeContent = (guides: readonly DocumentLink[]): Content => ({
  title: 'Documentation',
  address: '/docs',
  part: 'Start',
  body: html`<p class="lead">A node that computes, checks what it computed, and signs only what passed. Each
result carries a receipt that anyone can verify later, without the node.</p>
<h2 id="first">A first call</h2>
<p>The node runs on this machine, or wherever you read this. A demo key gives ten runs a day; nothing is
to be installed.</p>
<div class="example" data-language="curl"><pre tabindex="0" aria-label="A first call"><code>${START}</code></pre>
<button type="button" class="copy">Copy</button></div>
<p>The answer holds the figures, the error that an independent check measured, and what the node signed.
<a href="/docs/guide/quick-start">The quick start</a> goes on from there: fetch the receipt, verify it, take the node
away and verify it again.</p>
<h2 id="parts">What stands where</h2>
${cards(PARTS)}
<h2 id="guides">Guides</h2>
${cards(guides)}`,
})
