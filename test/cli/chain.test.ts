// Goal: a machine's chain that was exported is verified offline by whoever has the node's key, and any change of it is
// found; a block's proof is checked where it is read; a wrong or missing key is told apart from a wrong chain.
// Method: a node as a process makes a chain; it is stopped, and every member of the file is altered, left out, moved.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { isChainFile, verifyChainFile } from '#core/chain-file.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/chain')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()
const STRANGER = '12D3KooWLKxeLZzGMun55CEddTMTBgtvAaw3CuL8pbXHfsBpPKpj'

/** The file as its members alone: what a test alters. */
type Tree = Readonly<Record<string, unknown>>
const chainOf = (file: string): Tree => JSON.parse(readFileSync(`${dir.path}/${file}`, 'utf8')) as Tree

test(
  'a chain is exported up to a sealed head, and verified by the key of its node',
  async () => {
    assert.equal((await run(['machines', 'create', 'pump-7', '--is-public', 'true'])).code, 0)
    // Its tick is over once it is sealed: what follows is in later ones.
    assert.equal((await run(['machines', 'block', 'pump-7', '--seq', '0', '--verify'])).code, 0)
    for (let i = 0; i < 4; i++) assert.equal((await run(['machines', 'event', 'pump-7', `e${i}`])).code, 0)
    const { answer } = await json(['machines', 'export', 'pump-7', '--out', 'pump.chain'])
    assert.equal(answer['entries'], 5)
    writeFileSync(`${dir.path}/node.key`, (await run(['keys', 'trusted'])).stdout)
    const printed = await run(['machines', 'export', 'pump-7'])
    assert.ok(isChainFile(JSON.parse(printed.stdout)))
    const bound = await json(['machines', 'export', 'pump-7'])
    assert.ok(isChainFile(bound.answer['chain']))
    const piped = await run(['verify', '-', '--key', 'node.key'], { stdin: printed.stdout })
    assert.equal(piped.code, 0, piped.stdout)
    assert.equal((await json(['machines', 'export', 'pump-7', '--out', 'nowhere/x'])).code, 1)
    assert.equal((await json(['machines', 'export', 'no-such'])).answer['code'], 'NOT_FOUND')
  },
  MS_MAX,
)

test(
  'a beginning of the chain is a chain',
  async () => {
    const { block } = (await json(['machines', 'block', 'pump-7', '--seq', '0'])).answer as { block: Answer }
    const { code, answer } = await json(['machines', 'export', 'pump-7', '--tick', String(block['tickNumber'])])
    assert.equal(code, 0)
    const chain = answer['chain'] as { entries: readonly unknown[]; proof: { head: { size: number } } }
    assert.equal(chain.entries.length, chain.proof.head.size)
    assert.ok(chain.entries.length < 5)
    assert.equal(
      verifyChainFile(chain, { trusted: readFileSync(`${dir.path}/node.key`, 'utf8').trim() }).outcome,
      'verified',
    )
  },
  MS_MAX,
)

test(
  "a block's proof is checked here: by the own node's id, by a given key, and not by another one",
  async () => {
    const own = await json(['machines', 'block', 'pump-7', '--seq', '2', '--verify'])
    assert.deepEqual([own.code, own.answer['ok'], own.answer['outcome']], [0, true, 'verified'])
    const given = await json(['machines', 'block', 'pump-7', '--seq', '2', '--verify', '--key', 'node.key'])
    assert.equal(given.code, 0)
    const strange = await json(['machines', 'block', 'pump-7', '--seq', '2', '--verify', '--key', STRANGER])
    assert.deepEqual([strange.code, strange.answer['ok'], strange.answer['outcome']], [3, false, 'failed'])
    const elsewhere = { TICKMESH_URL: node.url }
    const named = await json(['machines', 'block', 'pump-7', '--seq', '2', '--verify'], { env: elsewhere })
    assert.deepEqual([named.code, named.answer['outcome']], [4, 'unchecked'], 'a node cannot vouch for itself')
    assert.equal((await json(['machines', 'block', 'pump-7', '1', '--key', STRANGER])).code, 2)
  },
  MS_MAX,
)

test(
  'without a node: verified, a stranger’s key fails, no key is unchecked',
  async () => {
    assert.equal((await node.end('SIGTERM')).code, 0)
    const good = await json(['verify', 'pump.chain', '--key', 'node.key'])
    assert.deepEqual([good.code, good.answer['outcome']], [0, 'verified'])
    const text = await run(['verify', 'pump.chain', '--key', 'node.key'])
    assert.match(text.stdout, /^ok +chain +5 entries follow from each other\.$/m)
    const none = await json(['verify', 'pump.chain'])
    assert.deepEqual([none.code, none.answer['outcome']], [4, 'unchecked'])
    const strange = await json(['verify', 'pump.chain', '--key', STRANGER])
    assert.deepEqual([strange.code, strange.answer['failing']], [3, 'key'])
    assert.equal((await json(['verify', 'pump.chain', '--key', 'f'.repeat(64)])).code, 3)
  },
  MS_MAX,
)

test('every leaf of the file altered is found, and so is every member left out', () => {
  const key = readFileSync(`${dir.path}/node.key`, 'utf8').trim()
  const chain = chainOf('pump.chain')
  assert.equal(verifyChainFile(chain, { trusted: key }).outcome, 'verified')
  const leaves = leavesOf(chain)
  assert.ok(leaves.length > 40)
  for (const [path, old] of leaves) {
    const found = verifyChainFile(replaced(chain, path, altered(old)), { trusted: key })
    assert.equal(found.outcome, 'failed', path.join('.'))
  }
  for (const name of Object.keys(chain)) {
    const { [name]: _, ...rest } = chain
    assert.equal(verifyChainFile(rest, { trusted: key }).outcome, 'failed', name)
  }
  assert.equal(verifyChainFile({ ...chain, more: 1 }, { trusted: key }).failing, 'form')
})

test('entries that are swapped, doubled, left out or added are found', () => {
  const key = readFileSync(`${dir.path}/node.key`, 'utf8').trim()
  const chain = chainOf('pump.chain')
  const entries = chain['entries'] as readonly Tree[]
  const [first, second, ...rest] = entries as readonly [Tree, Tree, ...Tree[]]
  const last = entries.at(-1) as Tree
  const wrong: readonly (readonly unknown[])[] = [
    [],
    [second, first, ...rest],
    [first, first, ...rest],
    [first, ...rest],
    entries.slice(1),
    entries.slice(0, -1),
    [...entries, last],
    [...entries, { ...last, seq: entries.length }],
  ]
  for (const it of wrong) assert.equal(verifyChainFile({ ...chain, entries: it }, { trusted: key }).outcome, 'failed')
})

test('what is no chain at all is a refusal of its form, never an error', () => {
  const strange: readonly unknown[] = [undefined, null, 1, 'x', [], {}, { format: 'tickmesh-chain-v1' }, { format: 2 }]
  for (const it of strange) assert.equal(verifyChainFile(it, { trusted: STRANGER }).failing, 'form')
  const chain = chainOf('pump.chain')
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown
  const [entry] = chain['entries'] as readonly Tree[]
  const found = verifyChainFile({ ...chain, entries: [{ ...entry, body: deep }] }, { trusted: STRANGER })
  assert.equal(found.outcome, 'failed')
  dir[Symbol.dispose]()
})

test.run()
