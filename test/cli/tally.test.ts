// Goal: the commands about a machine's token do what its endpoints do; an exported chain is added up offline, and a lie
// in it is found; a machine that is deleted is archived with the proof of its last head. Method: one node as a process,
// which is stopped before files are verified; files are altered member by member.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChainFile } from '#core/chain-file.ts'
import { pictures } from '../kit/pictures.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/tally')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()

const answerOf = async (...words: readonly string[]): Promise<Answer> => {
  const { code, answer, stderr } = await json(['machines', 'tally', ...words])
  assert.equal(code, 0, stderr)
  return answer
}

test(
  'a token is made, described, pictured, minted and shown',
  async () => {
    for (const slug of ['pump-7', 'quiet-1']) {
      assert.equal((await run(['machines', 'create', slug, '--is-public', String(slug === 'pump-7')])).code, 0)
      const words = ['create', slug, 'Litres pumped', 'LITRE', '1000', '--initial', '40']
      const asked = await json(['machines', 'tally', ...words])
      assert.equal(asked.answer['code'], 'NOT_CONFIRMED')
      await answerOf(...words, '--yes')
    }
    await answerOf('describe', 'pump-7', 'one for each litre')
    writeFileSync(`${dir.path}/pump.png`, pictures.png(8, 8))
    await answerOf('avatar', 'pump-7', 'pump.png')
    const shown = await answerOf('show', 'pump-7', '--avatar', 'true')
    assert.equal(shown['description'], 'one for each litre')
    assert.match(String((shown['avatar'] as Answer)['data_url']), /^data:image\/png;base64,iVBOR/)
    for (const words of [['pump-7'], ['pump-7', 'pump.png', '--remove']]) {
      assert.equal((await json(['machines', 'tally', 'avatar', ...words])).code, 2)
    }
    writeFileSync(`${dir.path}/big.png`, new Uint8Array(262_145))
    assert.equal((await json(['machines', 'tally', 'avatar', 'pump-7', 'big.png'])).answer['code'], 'INPUT_TOO_LARGE')
    await answerOf('avatar', 'pump-7', '--remove')
    assert.equal((await answerOf('show', 'pump-7'))['avatar'], null)

    const rate = ['mint-rate', 'pump-7', '--amount', '5', '--per', 'transition', '--every', '2']
    assert.deepEqual((await answerOf(...rate))['rate'], { amount: 5, per: 'transition', every: 2 })
    assert.equal((await answerOf('mint-rate', 'pump-7'))['state'], 'on')
    for (const words of [
      rate.slice(0, 4),
      [...rate, '--off'],
      ['mint-rate', 'pump-7', '--per', 'week', '--every', '1'],
    ]) {
      assert.equal((await json(['machines', 'tally', ...words])).code, 2, words.join(' '))
    }
    const much = await json(['machines', 'tally', ...rate.with(3, '961')])
    assert.deepEqual([much.code, much.answer['code']], [1, 'SUPPLY_EXHAUSTED'])
    assert.equal((await answerOf('mint-rate', 'pump-7', '--off'))['state'], 'off')

    const text = await run(['machines', 'tally', 'tokens', 'pump-7'])
    assert.match(text.stdout, /^1 +40 +40 +owner +1$/m)
    assert.equal((await answerOf('token', 'pump-7', '40'))['owner'], 'owner')
    assert.equal((await json(['machines', 'tally', 'token', 'pump-7', '41'])).answer['code'], 'NOT_FOUND')
    assert.equal((await answerOf('supply', 'pump-7'))['issued'], 40)
    assert.deepEqual((await answerOf('verify', 'pump-7'))['ledger'], 'equal')
  },
  MS_MAX,
)

test(
  'deleted is archived, with the proof of its last head in a file that anybody adds up',
  async () => {
    writeFileSync(`${dir.path}/node.key`, (await run(['keys', 'trusted'])).stdout)
    const unasked = await json(['machines', 'delete', 'pump-7'])
    assert.deepEqual([unasked.answer['code'], existsSync(`${dir.path}/pump-7.chain`)], ['NOT_CONFIRMED', false])
    const { code, answer, stderr } = await json(['machines', 'delete', 'pump-7', '--yes'])
    assert.equal(code, 0, stderr)
    const { machine } = (await json(['machines', 'show', 'pump-7'])).answer as { machine: Answer }
    assert.equal(machine['status'], 'archived')
    assert.equal((answer['head'] as Answer)['hash'], (machine['head'] as Answer)['hash'])
    const refused = await json(['machines', 'event', 'pump-7', 'late'])
    assert.equal(refused.answer['code'], 'MACHINE_NOT_ACTIVE')
    const again = await json(['machines', 'delete', 'pump-7', '--yes', '--out', 'again.chain'])
    assert.deepEqual([again.code, again.answer['entries']], [0, answer['entries']])
    assert.equal((await json(['machines', 'delete', 'no-such', '--yes'])).answer['code'], 'NOT_FOUND')
    assert.equal((await json(['machines', 'export', 'quiet-1', '--out', 'quiet.chain'])).code, 0)
    assert.equal((await node.end('SIGTERM')).code, 0)

    const verify = (file: string) => json(['machines', 'tally', 'verify', file, '--key', 'node.key'])
    const honest = await verify('pump-7.chain')
    assert.deepEqual([honest.code, honest.answer['outcome']], [0, 'verified'])
    const tally = honest.answer['tally'] as Answer
    assert.deepEqual([tally['valid'], tally['issued'], tally['balances']], [true, 40, { owner: 40 }])
    const said = await run(['machines', 'tally', 'verify', 'pump-7.chain', '--key', 'node.key'])
    assert.match(said.stdout, /the token adds up: 40 of 1000 units, 1 ranges/)

    const quiet = await verify('quiet.chain')
    assert.deepEqual([quiet.code, (quiet.answer['tally'] as Answer)['issued']], [0, null])
    assert.equal((quiet.answer['tally'] as Answer)['withheld'], 1)

    const chain = JSON.parse(readFileSync(`${dir.path}/pump-7.chain`, 'utf8')) as ChainFile
    const lie = chain.entries.map((it) =>
      it.type === 'tally_genesis' ? { ...it, body: { ...(it.body as object), initial: 1_001 } } : it,
    )
    writeFileSync(`${dir.path}/lie.chain`, JSON.stringify({ ...chain, entries: lie }))
    const found = await verify('lie.chain')
    assert.deepEqual([found.code, found.answer['failing']], [3, 'chain'])
    assert.equal((found.answer['tally'] as Answer)['broken_at'], 1)
    // A lie that adds up is no better.
    const other = readFileSync(`${dir.path}/pump-7.chain`, 'utf8').replace('"initial":40', '"initial":39')
    writeFileSync(`${dir.path}/other.chain`, other)
    const told = await run(['machines', 'tally', 'verify', 'other.chain', '--key', 'node.key'])
    assert.equal(told.code, 3)
    assert.match(told.stdout, /NOT verified — chain failed/)
    assert.doesNotMatch(told.stdout, /adds up/)
  },
  MS_MAX,
)

test.run()
