// Goal: what the page saves and judges is right without a browser: tables that no spreadsheet runs, drawings that XML
// readers take, lists that stay short, and proofs that fail by name. Method: tables of cases, seeded garbage, and the
// real chain of a real node whose answers are altered one member at a time.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { chainFileOf } from '#core/chain-file.ts'
import { entryOfRow, verifyEntry } from '#core/machine-proof.ts'
import { provenPast } from '#core/succession.ts'
import { TICK_NS } from '#core/tick.ts'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { csvPieces, type Table } from '#numerics/plot/table.ts'
import { fileName } from '#ui/export/exporting.ts'
import type { ChainRow } from '#ui/machine/entry.ts'
import { emptyFeed, feedOf, firstOf, LIVE_ROWS_MAX, withRows } from '#ui/machine/feed.ts'
import { judge } from '#ui/receipt/verify-file.ts'
import type { PageSession } from '#ui/session.ts'
import { curlOf } from '#ui/text/shell.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('ui/parts')

const textOf = (table: Table): string => [...csvPieces(table)].join('')
const row = (seq: number): ChainRow => ({
  originId: 'node:pump',
  id: `m:${seq}`,
  seq,
  tickNumber: seq,
  stateHash: '0'.repeat(64),
  prevHash: '0'.repeat(64),
  transitionType: 'event',
  transitionId: '',
  createdAt: '2026-11-20T00:00:00Z',
  body: null,
})
const rows = (from: number, to: number): ChainRow[] => Array.from({ length: to - from }, (_, i) => row(from + i))

/** Cells of RFC 4180 text. */
const cellsOf = (text: string): string[][] => {
  const lines: string[][] = []
  let [line, cell, quoted]: [string[], string, boolean] = [[], '', false]
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted && letter === '"' && text[at + 1] === '"') cell += text[at++]
    else if (letter === '"') quoted = !quoted
    else if (!quoted && (letter === ',' || letter === '\n')) {
      line.push(letter === '\n' ? cell.replace(/\r$/, '') : cell)
      cell = ''
      if (letter === '\n') lines.push(line.splice(0))
    } else cell += letter
  }
  return lines
}

test('numbers come back as the same doubles, whatever they are', () => {
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => (Object.is(it, -0) ? 0 : it))
  const same = fc.property(fc.array(doubles, { minLength: 1, maxLength: 50 }), (values) => {
    const text = textOf({ rows: values.length, columns: [{ name: 'v', unit: 'J', at: (i) => values[i] as number }] })
    const read = cellsOf(text)
      .slice(1)
      .map(([it]) => Number(it))
    assert.deepEqual(read, values)
  })
  fc.assert(same, { seed, numRuns: 300 })
})

test('no text of a table is a formula, and every text can be read back', () => {
  const bad = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '＝1',
    '＠x',
    '|calc',
    '%0A=1',
    'a,b',
    'a"b',
  ]
  const texts = fc.oneof(fc.constantFrom(...bad), fc.string({ unit: 'grapheme', maxLength: 20 }))
  const safe = fc.property(fc.array(texts, { minLength: 1, maxLength: 20 }), (words) => {
    const text = textOf({
      rows: words.length,
      columns: [
        { name: '=cmd()', unit: '', at: (i) => words[i] ?? '' },
        { name: 'n', unit: '', at: (i) => i },
      ],
    })
    const read = cellsOf(text)
    assert.deepEqual(
      read.slice(1).map(([word]) => word?.replace(/^'(?=[\s\0]*[=+\-@＝＋－＠|%]|[\t\r\n])/, '')),
      words.map((it) => it.replace(/^'(?=[\s\0]*[=+\-@＝＋－＠|%]|[\t\r\n])/, '')),
    )
    for (const [word = ''] of read) assert(!/^[\s\0]*[=+\-@＝＋－＠]/.test(word), JSON.stringify(word))
  })
  fc.assert(safe, { seed, numRuns: 300 })
})

test('a file’s name is one that every system takes; a command holds any input and no key', () => {
  assert.equal(fileName('heat', '../..\u0000/é', 'T'), 'heat-..-..--T')
  assert(fileName('x'.repeat(1_000)).length <= 120)
  const text = curlOf('http://127.0.0.1:7770', '/api/svc/sat', { formula: "it's; $(rm -rf ~)" })
  assert(text.includes(`-d '{"formula":"it'\\''s; $(rm -rf ~)"}'`))
  assert(text.includes('$TICKMESH_KEY'))
})

test('a live list holds the newest lines, leaves repeats out, and shows every gap', () => {
  let feed = feedOf(rows(10, 60), 60)
  assert.deepEqual([feed.size, firstOf(feed), feed.came], [60, 10, 0])
  feed = withRows(feed, rows(55, 62))
  assert.deepEqual([feed.size, feed.came], [62, 2])
  assert.equal(withRows(feed, rows(0, 62)), feed)
  feed = withRows(feed, [row(70)])
  assert.deepEqual(feed.items.at(-2), { kind: 'gap', gap: { after: 61, next: 70, missed: 8 } })
  for (let at = 71; at < 20_000; at += 97) feed = withRows(feed, rows(at, at + 97))
  assert.equal(feed.items.length, LIVE_ROWS_MAX)
  assert.equal(feed.size, feed.came + 60 + 8)
  assert.deepEqual(withRows(emptyFeed, rows(0, 3)).items.length, 3)
})

/** A real entry with its proof, and what the page knows of it. */
const proved = async () => {
  await using it = await testNode()
  const mine = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const { machine } = await mine.call('machines.create', { slug: 'pump', is_public: true })
  for (let i = 0; i < 5; i++) await mine.call('machines.event', { slug: 'pump', payload: i })
  await it.advanceTicks(1)
  const { vkeys } = await it.client.call('identity.node', {})
  const answer = await it.client.call('machines.block', { slug: 'pump', seq: 3 })
  const last = await it.client.call('machines.block', { slug: 'pump', seq: 5 })
  const { block } = answer
  const shown = {
    slug: 'pump',
    genesis: machine.genesis_hash,
    row: block,
  }
  const trust = { trusted: vkeys.log }
  return { shown, trust, answer, last: { answer: last, shown: { ...shown, row: last.block } } }
}

const flip = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)

test('a proof holds as the node gives it; altered in one place, the step that does not hold is named', async () => {
  const { shown, trust, answer, last } = await proved()
  const failing = (altered: unknown, known = shown): string | undefined => verifyEntry(known, altered, trust).failing
  assert.deepEqual(
    verifyEntry(shown, answer, trust).steps.map(({ step, state }) => `${step} ${state}`),
    ['form ok', 'key ok', 'entry ok', 'identity ok', 'chain ok', 'checkpoint ok', 'inclusion ok'],
  )
  const { entry, proof } = answer
  assert(proof !== null)
  const { head } = proof
  const given = (change: object): unknown => ({ entry, proof: { ...proof, ...change } })
  assert.equal(failing({ entry: { ...entry, body: { event: 'other' } }, proof }), 'entry')
  assert.equal(failing({ entry: { ...entry, tick: entry.tick + 1 }, proof }), 'entry')
  assert.equal(failing(given({ head: { ...head, id_hash: flip(head.id_hash) } })), 'identity')
  assert.equal(failing(answer, { ...shown, slug: 'pump-2' }), 'identity')
  assert.equal(failing(given({ head: { ...head, root: flip(head.root) } })), 'chain')
  assert.equal(failing(given({ head: { ...head, seq: head.seq + 1 } })), 'chain')
  assert.equal(failing(given({ path: proof.path.map(flip) })), 'chain')
  assert.equal(failing(given({ path: proof.path.slice(1) })), 'chain')
  const hash = { ...head, hash: flip(head.hash) }
  assert.equal(failing({ ...last.answer, proof: { ...last.answer.proof, head: hash } }, last.shown), 'chain')
  assert.equal(failing(given({ checkpoint: proof.checkpoint.replace('\n', ' \n') })), 'key')
  assert.equal(failing(given({ checkpoint: '' })), 'key')
  assert.equal(failing(given({ checkpoint: proof.checkpoint.replace(/\n\d+\n/, '\n999\n') })), 'checkpoint')
  const other = { trusted: trust.trusted.replace('tickmesh', 'tickmeshed') }
  assert.deepEqual(verifyEntry(shown, answer, other).unchecked, ['key'], 'the key is of no use: nobody is accused')
  assert.equal(failing(answer, { ...shown, row: { ...shown.row, body: { event: 'other' } } }), 'entry')
  assert.equal(failing(answer, { ...shown, row: { ...shown.row, stateHash: flip(shown.row.stateHash) } }), 'entry')
  assert.equal(failing(given({ head: hash })), 'inclusion')
  assert.equal(failing(given({ head_index: proof.head_index + 1 })), 'inclusion')
  assert.equal(failing(given({ head_path: proof.head_path.map(flip) })), 'inclusion')
})

test('an entry under an earlier key of the node verifies through the succession, and not without it', async () => {
  using directory = tempDir()
  const start = async (ticks: number): Promise<TestNode> =>
    testNode({ directory: directory.path, start: START + BigInt(ticks) * TICK_NS })
  const written = await (async () => {
    await using it = await start(0)
    const mine = it.as((await it.client.call('identity.sign-up', {})).api_key)
    const { machine } = await mine.call('machines.create', { slug: 'pump', is_public: true })
    await mine.call('machines.event', { slug: 'pump', payload: 1 })
    await it.advanceTicks(1)
    const { block } = await it.client.call('machines.block', { slug: 'pump', seq: 1 })
    const { vkeys } = await it.client.call('identity.node', {})
    return { genesis: machine.genesis_hash, row: block, old: vkeys.log }
  })()
  let now = START + 3n * TICK_NS
  const sleep = async (ms: number): Promise<void> => {
    now += BigInt(Math.ceil(ms)) * 1_000_000n
  }
  const { signal } = new AbortController()
  await rotateIdentity({ directory: directory.path, reason: 'planned', clock: { now: () => now }, sleep, signal })
  await using it = await start(10)
  const { vkeys, key_supersessions: past } = await it.client.call('identity.node', {})
  const answer = await it.client.call('machines.block', { slug: 'pump', seq: 1 })
  const shown = { slug: 'pump', genesis: written.genesis, row: written.row }
  const trusted = vkeys.log
  const failing = (past: unknown): string | undefined =>
    verifyEntry(shown, answer, { trusted, successions: provenPast(past) }).failing
  assert.notEqual(trusted, written.old)
  assert.equal(failing(past), undefined)
  assert.equal(failing([]), 'key')
  const [first] = past
  assert.equal(failing([{ ...first, new_signature: '0'.repeat(128) }]), 'key')

  // The same of the whole chain, whose file carries what vouches for it.
  const { rows } = await it.client.call('machines.explore', { slug: 'pump' })
  assert(answer.proof !== null)
  const parts = { slug: 'pump', genesis_hash: written.genesis, entries: rows.map(entryOfRow), proof: answer.proof }
  const asked = async (chain: unknown, known: unknown): Promise<string | undefined> => {
    const evidence = new Blob([JSON.stringify(chain)])
    return (
      await judge(
        { evidence, trusted, past: known },
        { rows: [], kept: () => Promise.reject(new Error('no rows')) },
        () => undefined,
      )
    ).failing
  }
  const [bare, whole] = [chainFileOf({ ...parts, past: [] }), chainFileOf({ ...parts, past })]
  assert.deepEqual(
    [await asked(bare, []), await asked(bare, past), await asked(whole, [])],
    ['key', undefined, undefined],
  )
  const altered = { ...whole, successions: [{ ...first, new_signature: '0'.repeat(128) }] }
  assert.deepEqual([await asked(altered, past), await asked({ ...whole, successions: [] }, past)], ['key', 'form'])
})

test('whatever a node answers for a proof, the page says that it does not hold, and never breaks', async () => {
  const { shown, trust, answer } = await proved()
  const garbage = fc.property(fc.jsonValue({ maxDepth: 4 }), (it) => {
    assert.equal(verifyEntry(shown, it, trust).outcome, 'failed')
  })
  fc.assert(garbage, { seed, numRuns: 500 })
  const members = ['entry', 'proof'] as const
  const altered = fc.property(
    fc.constantFrom(...members),
    fc.nat({ max: 5 }),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(2 ** 53, -1, 'f'.repeat(64), [])),
    (part, at, value) => {
      const names = Object.keys(answer[part] as object)
      const name = names[at % names.length] as string
      const given = { ...answer, [part]: { ...(answer[part] as object), [name]: value } }
      const { outcome } = verifyEntry(shown, given, trust)
      const same = JSON.stringify(value) === JSON.stringify((answer[part] as Record<string, unknown>)[name])
      assert.equal(outcome, same ? 'verified' : 'failed', `${part}.${name} ${JSON.stringify(value)}`)
    },
  )
  fc.assert(altered, { seed, numRuns: 500 })
})

// The page's calls are typed by their route: these lines must not compile without their markers.
export const misuse = async (session: PageSession): Promise<void> => {
  const { machine } = await session.call('GET /api/chain/state-machines/{slug}', { slug: 'pump' })
  // @ts-expect-error a machine has no such member
  void machine.colour
  // @ts-expect-error there is no such route
  void session.call('GET /api/chain/state-machine/{slug}', { slug: 'pump' })
  // @ts-expect-error the slug is missing
  void session.call('GET /api/chain/state-machines/{slug}', {})
  // @ts-expect-error a limit is a number
  void session.call('GET /api/chain/newest', { limit: '1' })
}

test.run()
