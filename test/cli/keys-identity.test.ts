// Goal: a person rotates the identity key: told beforehand what ends, asked, refused while the node runs, by exit
// codes; receipts of before verify offline, and `verify` knows what a superseded key may not. Method: processes on one
// data directory: the node, the command, and `verify` on saved receipts.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '#core/bytes.ts'
import type { Claim } from '#core/claim.ts'
import { signClaim } from '#core/envelope.ts'
import type { ProvenSuccession, Succession } from '#core/succession.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/keys identity')
const MS_MAX = 110_000
const dir = tempDir()
const { here, data, start } = terminalIn(dir.path)
const { json, run } = here
const file = (name: string): string => join(dir.path, name)
const identity = join(data, 'identity.key')
const NEW = '05'.repeat(32)

interface Receipt {
  readonly envelope: { claim: Claim; signature: string }
}
const readReceipt = (name: string): Receipt => JSON.parse(readFileSync(file(name), 'utf8')) as Receipt
const trust = async (name: string): Promise<void> => writeFileSync(file(name), (await run(['keys', 'trusted'])).stdout)
const verify = (name: string, ...more: string[]) => run(['verify', file(name), ...more])

/** The old key, as whoever stole it would have it. */
let oldSeed = ''

test(
  'nothing is touched while the node runs, or without a word, or for a key that is none',
  async () => {
    {
      await using _ = await start()
      await trust('old.vkey')
      const solve = await run(['compute', 'GR37', 'mass=1.98892e30', '--bundle', file('sun.json')])
      assert.equal(solve.code, 0, solve.stderr)
      assert.equal((await run(['machines', 'create', 'pump-7', '--is-public', 'true'])).code, 0)
      const busy = await json(['keys', 'rotate-identity', '--yes'])
      assert.deepEqual([busy.code, busy.answer['code']], [75, 'TRY_LATER'])
      await run(['stop'])
    }
    oldSeed = readFileSync(identity, 'utf8').trim()
    const unasked = await json(['keys', 'rotate-identity'])
    assert.deepEqual([unasked.code, unasked.answer['code']], [2, 'NOT_CONFIRMED'])
    const dry = await json(['keys', 'rotate-identity', '--dry-run'])
    assert.deepEqual([dry.code, dry.answer['rotated']], [0, false])
    for (const [name, text, mode] of [
      ['none.key', undefined, 0],
      ['open.key', `${NEW}\n`, 0o644],
      ['short.key', 'abc\n', 0o600],
      ['same.key', `${oldSeed}\n`, 0o600],
    ] as const) {
      if (text !== undefined) writeFileSync(file(name), text, { mode })
      const bad = await json(['keys', 'rotate-identity', '--yes', '--new-key-file', file(name)])
      assert.deepEqual([bad.code, bad.answer['code']], [1, 'NOT_ROTATED'], name)
    }
    assert.equal((await run(['keys', 'rotate-identity', '--yes', '--reason', 'x'.repeat(257)])).code, 1)
    const early = await json(['keys', 'new-log', '--yes'])
    assert.deepEqual([early.code, early.answer['code']], [1, 'NOT_ROTATED'])
    assert.equal(readFileSync(identity, 'utf8').trim(), oldSeed)
  },
  MS_MAX,
)

test(
  'the key is rotated, and the node that starts on it says so and serves what was',
  async () => {
    writeFileSync(file('new.key'), `${NEW}\n`, { mode: 0o600 })
    const given = ['--new-key-file', file('new.key'), '--reason', 'a test']
    const done = await json(['keys', 'rotate-identity', '--yes', ...given])
    assert.equal(done.code, 0, done.stderr)
    const { claim } = readReceipt('sun.json').envelope
    const { succession } = done.answer as unknown as { readonly succession: Succession }
    assert.deepEqual([succession.old_node, succession.reason], [claim.node, 'a test'])
    assert.ok(![done.stdout, done.stderr].join().includes(NEW))
    assert.equal((await run(['fsck'])).code, 0)

    await using _ = await start()
    const known = await run(['keys', 'successions'])
    writeFileSync(file('successions.json'), known.stdout)
    assert.equal((JSON.parse(known.stdout) as unknown[]).length, 1)
    const fetched = await run(['envelopes', 'bundle', claim.token_id, '--out', file('again.json')])
    assert.equal(fetched.code, 0, fetched.stderr)
    await trust('new.vkey')
    const exported = await run(['machines', 'export', 'pump-7', '--out', file('pump.chain')])
    assert.equal(exported.code, 0, exported.stderr)
    const block = ['machines', 'block', 'pump-7', '--seq', '0', '--verify']
    const own = await run(block)
    assert.equal(own.code, 0, own.stdout)
    assert.match(own.stdout, /^ok +trusted node .*whose successor .* is trusted/m)
    assert.equal((await run([...block, '--key', file('old.vkey'), '--successions', file('successions.json')])).code, 0)
    assert.equal((await json([...block, '--policy', file('none.policy')])).answer['code'], 'NO_POLICY')
    assert.match((await run(['doctor'])).stdout, /identity.*1 key before/)
    assert.match((await run(['status'])).stdout, new RegExp(`before +${claim.node}`))
    await run(['stop'])
  },
  MS_MAX,
)

test(
  'receipts verify as before, and with the succession known only what the log ended with',
  async () => {
    const [old, fresh] = [
      ['--key', file('old.vkey')],
      ['--key', file('new.vkey')],
    ]
    const known = ['--successions', file('successions.json')]
    assert.equal((await verify('sun.json', ...old, '--replay')).code, 0)
    assert.equal((await verify('again.json', ...old, ...known)).code, 0)
    assert.equal((await verify('again.json', ...fresh, ...known, '--replay')).code, 0)
    assert.equal((await verify('sun.json', ...fresh)).code, 3)
    assert.equal((await verify('pump.chain', ...fresh)).code, 0, 'it carries what vouches for the old key')
    assert.equal((await verify('pump.chain', ...old)).code, 0)

    const late = readReceipt('sun.json')
    const claim = { ...late.envelope.claim, index: 10_000 }
    const signed = { ...late.envelope, claim, signature: signClaim(fromHex(oldSeed), claim) }
    writeFileSync(file('late.json'), JSON.stringify({ ...late, envelope: signed }))
    const refused = await verify('late.json', ...old, ...known)
    assert.equal(refused.code, 3)
    assert.match(refused.stdout, /superseded/)

    const [first] = JSON.parse(readFileSync(file('successions.json'), 'utf8')) as [ProvenSuccession]
    const larger = { ...first.succession, size: first.succession.size + 1 }
    writeFileSync(file('broken.json'), JSON.stringify([{ ...first, succession: larger }]))
    for (const name of ['broken.json', 'nothing.json', 'old.vkey']) {
      assert.equal((await verify('sun.json', ...old, '--successions', file(name))).code, 4, name)
    }
    dir[Symbol.dispose]()
  },
  MS_MAX,
)

test.run()
