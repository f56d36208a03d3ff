// Goal: what the page calls by a route is what the node answers, without a browser: path, query, body and job.
// Method: the page's own session and its own jobs against a real node; only the address is put before each path, as a
// browser does, and what is answered is held against the typed client's word.
import assert from 'node:assert/strict'
import { fetchEvidence } from '#ui/receipt/evidence.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { runJob, type ShownJob } from '#ui/server/jobs.ts'
import { signUp } from '#ui/server/self.ts'
import { readSolver } from '#ui/server/solver.ts'
import { createSession, type PageSession } from '#ui/session.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/calls')

const { fetch } = globalThis
/** A session of a new account at a node, from this process. */
const opened = async (url: string): Promise<PageSession> => {
  globalThis.fetch = (path, init) => fetch(new URL(String(path), url), init)
  const { self } = await signUp()
  const nothing = (): undefined => undefined
  return createSession({ self, vkey: '', node: '', past: [], onSelf: nothing, onSettled: nothing })
}

test('machines: made, written to, paged, changed and keyed by route', async () => {
  await using it = await testNode()
  const session = await opened(it.url)
  const { signal } = new AbortController()
  const made = await session.call('POST /api/chain/state-machines', { slug: 'pump', is_public: true })
  assert.equal(made.machine.slug, 'pump')
  const { seq } = await session.call('POST /api/chain/{slug}/event', { slug: 'pump', type: 'a b', payload: { x: 1 } })
  const first = await session.call('GET /api/chain/{slug}/explore', { slug: 'pump', limit: 1, after: undefined })
  const rest = await session.call('GET /api/chain/{slug}/explore', { slug: 'pump', limit: 9, after: 0 })
  assert.deepEqual([first.rows.map((row) => row.seq), rest.rows.map((row) => row.seq)], [[0], [seq]])
  assert.deepEqual(rest, await it.client.call('machines.explore', { slug: 'pump', limit: 9, after: 0 }))
  const settings = { slug: 'pump', display_name: 'Pump ü', purpose: null }
  assert.equal((await session.call('PATCH /api/chain/{slug}/settings', settings)).machine.display_name, 'Pump ü')
  const key = await session.call('POST /api/chain/{slug}/api-keys', { slug: 'pump', name: 'k', scope: 'write' })
  await session.call('DELETE /api/chain/{slug}/api-keys/{id}', { slug: 'pump', id: key.id })
  const { keys } = await session.call('GET /api/chain/{slug}/api-keys', { slug: 'pump' }, { signal })
  assert.equal(keys.find(({ id }) => id === key.id)?.revoked, true)
  await assert.rejects(
    session.call('GET /api/chain/state-machines/{slug}', { slug: 'none' }),
    (error) => error instanceof ApiProblem && error.code === 'NOT_FOUND',
  )
})

test('a run is begun, followed and answered, and its envelope and evidence are read', async () => {
  await using it = await testNode()
  const session = await opened(it.url)
  const { signal } = new AbortController()
  const solver = await readSolver('lotka', signal)
  const shown: ShownJob[] = []
  const answer = await runJob({
    path: `/api/svc/${solver.name}`,
    input: {},
    session,
    signal,
    tell: (it) => shown.push(it),
  })
  assert.equal(answer.unit, solver.unit)
  assert(answer.envelope !== null)
  assert(shown.every(({ kind }) => kind === 'lotka'))
  const { zid } = session.self
  const page = { zid, limit: 5, q: answer.envelope.token_id.slice(0, 8) }
  const { total, envelopes } = await session.call('GET /api/tally/envelopes/{zid}', page)
  assert.deepEqual([total, envelopes[0]?.hash], [1, answer.envelope.hash])
  await it.advanceTicks(1)
  const bundle = await fetchEvidence(session, { token: answer.envelope.token_id }, signal)
  const whole: unknown = JSON.parse(await bundle.text())
  const { token_id } = answer.envelope
  assert.deepEqual(whole, await it.as(session.self.key ?? '').call('compute.bundle', { token_id }))
})

test('a node that is stopping is waited for as one that is gone: the run goes on', async () => {
  await using it = await testNode()
  const session = await opened(it.url)
  const through = globalThis.fetch
  const refused = new Set<string>()
  // Each address once, as a node refuses what reaches it while it stops.
  globalThis.fetch = (path, init) => {
    if (refused.has(String(path))) return through(path, init)
    refused.add(String(path))
    const problem = { status: 503, code: 'NODE_STOPPING', retryable: true }
    return Promise.resolve(Response.json(problem, { status: 503 }))
  }
  const { signal } = new AbortController()
  const order = { path: '/api/svc/lotka', input: {}, session, signal, tell: () => undefined }
  const { envelope } = await runJob(order)
  assert(envelope !== null)
  assert(refused.size >= 3, 'begun, followed and answered')
  const page = { zid: session.self.zid, limit: 5, q: undefined }
  globalThis.fetch = through
  assert.equal((await session.call('GET /api/tally/envelopes/{zid}', page)).total, 1, 'it was run once')
})

test('a run that the node refuses says so in its own words', async () => {
  await using it = await testNode()
  const session = await opened(it.url)
  const { signal } = new AbortController()
  const order = { path: '/api/svc/lotka', input: { nonsense: 1 }, session, signal, tell: () => undefined }
  await assert.rejects(runJob(order), (error) => error instanceof ApiProblem && error.code === 'INVALID_INPUT')
})

test.run()
