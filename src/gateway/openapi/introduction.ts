import type { Domain } from '#api/endpoint.ts'

/** What each domain is about. */
const domains: Readonly<Record<Domain, string>> = {
  compute: 'Solvers, operators, jobs, reactors, and the evidence of what they computed.',
  'state-machines': 'State machines: a hash-linked chain each, its entries, feeds, shares and anchors.',
  contracts: 'Contracts between machines.',
  'agents-ai': 'Agents.',
  economy: 'Credits, envelopes, the public record, and where every credit came from.',
  'identity-access': 'Accounts, their keys, and roles and keys of machines.',
  'vault-encryption': 'What is sealed for the owner alone.',
  'messaging-files': 'Messages to the owner of the node.',
  'network-governance': 'The mesh: peers, gossip, witnesses.',
  apps: 'Applications.',
  'explorer-platform': 'The node looking at itself: health, metrics, source, this description, and public machines.',
}

const rooms: Readonly<Record<string, string>> = {
  ...domains,
  Solvers: 'Computations whose results are sealed: an independent check measures the error of each.',
}

/** What a tag of an operation stands for. */
export const tagOf = (name: string): { readonly name: string; readonly description?: string } => {
  const description = rooms[name]
  return description === undefined ? { name } : { name, description }
}

/** What all operations have in common, for who calls them first. CommonMark. */
export const introduction = `Verified numerical computation with sealed proof receipts, and what stands around it.

## Quick start

A node listens on \`http://127.0.0.1:7770\` unless its settings say otherwise. A few solvers need no key
(\`x-access\`). The others take one; signing up gives one, with free credits.

\`\`\`sh
curl -s http://127.0.0.1:7770/api/daemon/status
KEY=$(curl -s -X POST http://127.0.0.1:7770/api/auth/sign-up \\
  -H 'Content-Type: application/json' -d '{}' | jq -r .api_key)
curl -s -X POST http://127.0.0.1:7770/api/svc/heat -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{}'
curl -s "http://127.0.0.1:7770/api/envelopes/<token_id>/bundle" \\
  -H "Authorization: Bearer $KEY" > bundle.json
\`\`\`

An empty body is the default problem of a solver. The answer holds the result, the error that an independent check
measured, and what the node signed. Within a second, once the tick is over, the bundle can be fetched;
\`tickmesh verify bundle.json\` checks it without a node.

## Input

Each operation has one flat input: the names in the path are taken from the path, the rest from the query of a GET or
DELETE and from the JSON body of anything else. Unknown members are refused. A member with a \`default\` may be left
out, which \`openapi-typescript --default-non-nullable false\` makes of it too.

## Authentication

\`Authorization: Bearer <key>\`: an account's key, a machine's key, or a demo key (\`GET /api/demo-key\`). A key is
shown once, by the call that makes it. The node's own page has a session cookie instead, which acts only together with
an \`Origin\` that is the node's. \`x-access\` of an operation says which credential it reads and how far that must
reach:

- \`credential\`: \`none\` reads none; \`optional\` uses a good one and refuses a bad one; \`bearer\` is 401 without
  one; \`handshake\` is the mesh's own header; \`signed-link\` is a signature in the address, and \`stream-session\` the
  id of a session, of a channel each.
- \`reach\`: \`anyone\`, a \`payer\` (whoever may spend), an \`account\`, a \`filer\`, one's \`own-key\`, the
  \`node-owner\`, that owner as a \`person\` in a fresh session, one's \`own-list\`, the \`owner-key\` on the node's own
  machine, those who may see the \`envelope\`, whose \`own-envelope\` it is, whoever began the \`job\`, a \`role\` in a
  \`machine\` or a \`reactor\`, who has the token of a \`share\`, whoever brings what
  a \`signer\` signed, who \`may\` read, tick or own a \`channel\`. \`publisher\`: the publish key of that machine
  will do, which no other operation lets in. \`channel\` of an \`envelope\`: the key of the channel
  that sealed it will do.

What a caller may not see is 404, not 403.

## Limits

Calls are counted in windows of a minute, by key, else by address (IPv4 /32, IPv6 /64). Counted answers say where the
caller stands: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds), and the same under
\`X-RateLimit-…\`. A refused credential counts too, and a body counts one call more for each whole 65,536 bytes.
\`x-calls-per-minute\` is a bound of one operation by itself; \`x-unlimited\` is not counted. A body has at most the
bytes that the node's settings say, or \`x-body-bytes-max\` where that is more; beyond them it is 413 with
\`limit_bytes\`. 429 and 503 always have \`Retry-After\` in seconds, any other refusal where the node knows when.

## Idempotency

A POST may carry \`Idempotency-Key\`, 1 to 255 visible ASCII characters. An operation with \`x-idempotent\` has its
effect once for a key and a caller: the same call again is answered as before, with \`Idempotency-Replayed: true\`,
and charges nothing. The key with another input is 409 \`IDEMPOTENCY_KEY_REUSED\`; while the first call still runs,
409 \`IDEMPOTENCY_IN_PROGRESS\`.

## Jobs and streams

\`Prefer: respond-async\` makes a computation a job: 202, and its path in \`Location\`. \`Prefer: wait=<seconds>\`
does so when the time is over. Event streams (\`text/event-stream\`) continue after \`Last-Event-ID\`; what was missed
is told by an event \`gap\`.

## Answers of computations

The result's own members stand beside \`value\` and \`unit\`. \`x-groups\` of this description says which of the others
are the receipt and which are diagnostics: what was measured of the run, and nothing that it is about.

## Errors

A refusal is \`application/problem+json\` (RFC 9457): \`type\` (\`urn:tickmesh:fault:<CODE>\`), \`title\`, \`status\`,
\`detail\`, \`instance\`, \`docs\`, \`code\`, \`retryable\`, and members of the code, such as
\`errors[] {path, message}\` of \`INVALID_INPUT\`, with JSON pointers into the input. \`docs\` is the path of the page
that says when the code is given and what to do. \`instance\` holds the \`X-Request-Id\`. \`retryable\` says
whether the same call may succeed later. Each operation lists its codes by status, with what they mean, and under
\`x-codes\`. A failure of the node itself is 500 \`INTERNAL\`, and says nothing else. \`/docs/errors\` lists all
codes by status.
`
