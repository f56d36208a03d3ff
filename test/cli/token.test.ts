// Goal: whoever keeps a key makes it, shows it and signs with it on the command line, and it is never written over,
// printed or read where others can; receipts of tokens verify from file, stdin, folder and address, and two that take
// one token twice are evidence. Method: the receipts of the golden vectors as files; what was signed is verified here.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fromHex } from '#core/bytes.ts'
import { publicKeyOfSeed, verifyValue, zidOf } from '#core/keys.ts'
import { verifyTokenEvidence } from '#core/token/evidence.ts'
import { packList, tokensRoot } from '#core/token/list.ts'
import { assertSignedOp, type SignedOp } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { node, sealLog, witness } from '../../scripts/vectors/sample.ts'
import { twice } from '../../scripts/vectors/token-refused.ts'
import { placesAt, sequence, taker, told } from '../../scripts/vectors/token-sample.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/token')
const MS_MAX = 90_000
const dir = tempDir()
const { json, run } = terminalIn(dir.path).once
const at = (name: string): string => join(dir.path, name)
const key = ['--key', node.node]

const [moved, locked] = told(sequence).map(({ file }) => file) as [TokenReceiptFile, TokenReceiptFile]
const again = told([twice])[0]?.file as TokenReceiptFile
mkdirSync(at('receipts'))
const files: Readonly<Record<string, unknown>> = {
  'receipts/moved.json': moved,
  'receipts/locked.json': locked,
  'again.json': again,
  'provisional.json': { ...moved, proof: null },
  'altered.json': { ...moved, receipt: { ...moved.receipt, weight: 99 } },
  'form.json': { ...moved, v: 2 },
}
for (const [name, value] of Object.entries(files)) writeFileSync(at(name), JSON.stringify(value))

test(
  'a receipt verifies from a file, from stdin and in a folder; what is provisional, altered or of another form is told',
  async () => {
    const file = await run(['verify', 'receipts/moved.json', ...key])
    assert.equal(file.code, 0, file.stdout)
    assert.match(file.stdout, /^ok {7}place in the log +The op is leaf 1 of that log\.$/m)
    assert.match(file.stdout, /^receipts\/moved\.json: verified — transfer, 5 tokens, weight 15$/m)
    const piped = await json(['verify', '-', ...key], { stdin: JSON.stringify(locked) })
    assert.deepEqual([piped.code, piped.answer['outcome']], [0, 'verified'])
    const [{ receipt }] = piped.answer['files'] as [{ receipt: object }]
    assert.deepEqual(receipt, locked.receipt)
    assert.equal((await run(['verify', 'receipts', ...key])).code, 0)
    const provisional = await run(['verify', 'provisional.json', ...key])
    assert.equal(provisional.code, 4)
    assert.match(provisional.stdout, /^skipped {2}log .*provisional/m)
    for (const [name, failing] of [
      ['altered.json', 'signature'],
      ['form.json', 'form'],
    ]) {
      const { code, answer } = await json(['verify', name as string, ...key])
      assert.deepEqual([code, answer['outcome'], answer['failing']], [3, 'failed', failing], name)
    }
    assert.equal((await run(['verify', 'receipts/moved.json'])).code, 4)
    assert.equal((await run(['verify', 'receipts/moved.json', '--key', witness.node])).code, 3)
  },
  MS_MAX,
)

test(
  'a receipt verifies from an address',
  async () => {
    const server = createServer((_, answer) => answer.end(JSON.stringify(moved)))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    try {
      const { port } = server.address() as { port: number }
      assert.equal((await run(['verify', `http://127.0.0.1:${port}/moved.json`, ...key])).code, 0)
    } finally {
      await new Promise((closed) => server.close(closed))
    }
  },
  MS_MAX,
)

test(
  'two receipts that take one token twice are evidence, whoever is trusted; one receipt twice is none',
  async () => {
    const both = await run(['verify', 'receipts/moved.json', 'again.json', ...key])
    assert.equal(both.code, 3)
    assert.match(both.stdout, /^again\.json: verified/m)
    assert.match(both.stdout, /^EVIDENCE receipts\/moved\.json and again\.json: .* at spend_seq 0$/m)
    for (const trust of [key, []]) {
      const { code, answer } = await json(['verify', 'again.json', 'receipts', ...trust])
      assert.deepEqual([code, answer['outcome'], answer['failing']], [3, 'failed', 'evidence'])
      const [{ files: named, home, evidence }] = answer['evidence'] as [{ files: []; home: string; evidence: unknown }]
      assert.deepEqual([named, home], [['again.json', 'receipts/moved.json'], sealLog])
      assert.equal(verifyTokenEvidence(evidence).nodes[0], node.node)
    }
    writeFileSync(at('copy.json'), JSON.stringify(moved))
    const same = await json(['verify', 'receipts/moved.json', 'copy.json', 'receipts/locked.json', ...key])
    assert.deepEqual([same.code, same.answer['evidence']], [0, []])
  },
  MS_MAX,
)

const modeOf = (name: string): number => statSync(at(name)).mode & 0o777
const seedIn = (name: string): Uint8Array => fromHex(readFileSync(at(name), 'utf8').trim())

test(
  'a key is made once, for its owner alone, shown by its public part, and refused where others can read it',
  async () => {
    const made = await json(['zid', 'keygen', 'zid.key'])
    assert.equal(made.code, 0)
    const publicKey = publicKeyOfSeed(seedIn('zid.key'))
    const shown = { zid: zidOf(publicKey), public_key: Buffer.from(publicKey).toString('hex') }
    assert.deepEqual(
      [made.answer['zid'], made.answer['public_key'], modeOf('zid.key')],
      [...Object.values(shown), 0o600],
    )
    const before = readFileSync(at('zid.key'))
    const twiceMade = await json(['zid', 'keygen', 'zid.key'])
    assert.deepEqual([twiceMade.code, twiceMade.answer['code']], [1, 'KEY_FILE_REFUSED'])
    assert.deepEqual(readFileSync(at('zid.key')), before)
    const show = await run(['zid', 'show', 'zid.key'])
    assert.ok(show.stdout.includes(shown.zid) && show.stdout.includes(shown.public_key))
    const seed = readFileSync(at('zid.key'), 'utf8').trim()
    assert.ok(!`${show.stdout}${show.stderr}${JSON.stringify(made.answer)}`.includes(seed), 'the key is never printed')
    assert.notDeepEqual((await json(['zid', 'keygen', 'other.key'])).answer['zid'], shown.zid)
    writeFileSync(at('short.key'), 'abc\n', { mode: 0o600 })
    writeFileSync(at('long.key'), `${seed}${seed}\n`, { mode: 0o600 })
    writeFileSync(at('group.key'), seed, { mode: 0o640 })
    writeFileSync(at('world.key'), seed)
    chmodSync(at('world.key'), 0o604)
    for (const name of ['short.key', 'long.key', 'group.key', 'world.key', 'none.key', 'receipts']) {
      for (const words of [
        ['show', name],
        ['sign', name, '--sign-up', node.node],
      ]) {
        const { code, answer } = await json(['zid', ...words])
        assert.deepEqual([code, answer['code']], [1, 'KEY_FILE_REFUSED'], name)
      }
    }
    assert.equal((await json(['zid', 'show', '-'])).code, 2)
    assert.equal((await json(['zid', 'keygen', 'nowhere/zid.key'])).code, 1)
  },
  MS_MAX,
)

test(
  'an op from stdin or a file is completed and signed, and a sign-up too; nothing near an op is signed',
  async () => {
    const order = { home: sealLog, op: 'transfer', list: placesAt(0, 3, 0), to: taker.zid }
    writeFileSync(at('op.json'), JSON.stringify(order))
    const outputs = [
      await run(['zid', 'sign', 'zid.key', 'op.json']),
      await run(['zid', 'sign', 'zid.key'], { stdin: JSON.stringify(order) }),
      await run(['zid', 'sign', 'zid.key', '-'], { stdin: JSON.stringify(order) }),
    ]
    for (const { code, stdout, stderr } of outputs) {
      assert.equal(code, 0, stderr)
      const { list, ...signed } = JSON.parse(stdout) as SignedOp & Pick<Required<TokenReceiptFile>, 'list'>
      assertSignedOp(signed)
      assert.equal(signed.public_key, Buffer.from(publicKeyOfSeed(seedIn('zid.key'))).toString('hex'))
      assert.deepEqual([signed.op.tokens_root, signed.op.count], [tokensRoot(packList(list)), 2])
    }
    for (const bad of [
      '',
      '[]',
      '{}',
      JSON.stringify({ ...order, to: 'x' }),
      JSON.stringify({ ...order, valid_to: 1 }),
    ]) {
      const { code, answer } = await json(['zid', 'sign', 'zid.key'], { stdin: bad })
      assert.equal(code, 1, bad)
      assert.match(String(answer['code']), /^(INVALID_INPUT|MALFORMED_JSON)$/, bad)
    }
    const { code, stdout } = await run(['zid', 'sign', 'zid.key', '--sign-up', node.node])
    assert.equal(code, 0)
    const { public_key, mesh_tick, signature } = JSON.parse(stdout)
    const said = { node: node.node, public_key, mesh_tick }
    assert.ok(verifyValue(fromHex(public_key), 'tickmesh/sign-up/1', said, signature))
    assert.equal((await json(['zid', 'sign', 'zid.key', '--sign-up', 'somebody'])).code, 1)
  },
  MS_MAX,
)

test.run()
