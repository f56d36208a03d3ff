/*
 * Goal: pages are put up, listed and given a key on the command line, and what a member signs there is taken from
 * whoever brings it. Method: one node as a process; a page by its file's name, from stdin, and with a publish key; a
 * key file made here, an event signed with it and brought twice.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/site')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()
const at = (name: string): string => `${dir.path}/${name}`
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test(
  'a page goes up by the name of its file, from stdin, and by the publish key alone',
  async () => {
    const page = '<h1>Pump 7</h1>'
    writeFileSync(at('index.html'), page)
    assert.equal((await run(['machines', 'create', 'pump-7', '--is-public', 'true'])).code, 0)
    const first = await json(['machines', 'site', 'upload', 'pump-7', at('index.html')])
    const { path, content_type, sha } = first.answer['page'] as Answer
    assert.deepEqual([first.code, path, content_type, sha], [0, 'index.html', 'text/html', sha256(page)])
    const again = await run(['machines', 'site', 'upload', 'pump-7', at('index.html')])
    assert.match(again.stdout, /there already/)
    const typed = ['--path', 'notes/a.txt', '--content-type', 'text/plain']
    const piped = await json(['machines', 'site', 'upload', 'pump-7', '-', ...typed], { stdin: 'a note' })
    assert.equal((piped.answer['page'] as Answer)['sha'], sha256('a note'))
    const key = await run(['machines', 'site', 'key', 'issue', 'pump-7', '--quiet'])
    assert.match(key.stdout, /^zpk_[0-9A-Za-z]{43}\n$/)
    const shown = await json(['machines', 'site', 'key', 'show', 'pump-7'])
    assert.equal(shown.answer['issued'], true)
    const listed = await run(['machines', 'site', 'list', 'pump-7'])
    assert.match(listed.stdout, /index\.html +text\/html/)
    assert.match(listed.stdout, /notes\/a\.txt/)
    const gone = await json(['machines', 'site', 'key', 'revoke', 'pump-7', '--yes'])
    assert.equal(gone.answer['issued'], false)
    const both = await json(['machines', 'site', 'upload', 'pump-7', at('index.html'), '--content', 'x'])
    assert.deepEqual([both.code, both.answer['code']], [2, 'USAGE'])
    writeFileSync(at('large.txt'), 'a'.repeat(2_097_153))
    const large = await json(['machines', 'site', 'upload', 'pump-7', at('large.txt')])
    assert.deepEqual([large.code, large.answer['code']], [1, 'INPUT_TOO_LARGE'])
  },
  MS_MAX,
)

test(
  'what is signed here is taken once, and what is no transaction is not signed',
  async () => {
    const made = await json(['zid', 'keygen', at('member.key')])
    const { zid } = made.answer as { zid: string }
    const seal = (await (await fetch(new URL('/api/chain/seal', node.url))).json()) as { node: string }
    const proof = await run(['zid', 'sign', at('member.key'), '--sign-up', seal.node])
    const signedUp = await fetch(new URL('/api/auth/sign-up', node.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: proof.stdout,
    })
    assert.equal(signedUp.status, 201, await signedUp.text())
    assert.equal((await run(['machines', 'members', 'add', 'pump-7', zid, 'operator'])).code, 0)
    const shown = await json(['machines', 'show', 'pump-7'])
    const { id_hash: machine } = shown.answer['machine'] as Answer
    writeFileSync(at('tx.json'), JSON.stringify({ machine, event: 'reading', data: { p: 1 } }))
    const signed = await run(['machines', 'tx', 'sign', at('member.key'), at('tx.json')])
    assert.equal(signed.code, 0, signed.stderr)
    writeFileSync(at('signed.json'), signed.stdout)
    const taken = await json(['machines', 'tx', 'submit', 'pump-7', at('signed.json')])
    assert.deepEqual([taken.code, taken.answer['signer']], [0, zid])
    const again = await json(['machines', 'tx', 'submit', 'pump-7'], { stdin: signed.stdout })
    assert.deepEqual([again.code, again.answer['code']], [1, 'TX_REPLAYED'])
    writeFileSync(at('none.json'), JSON.stringify({ machine, event: 'reading', more: 1 }))
    const none = await json(['machines', 'tx', 'sign', at('member.key'), at('none.json')])
    assert.equal(none.answer['code'], 'INVALID_INPUT')
    const aware = await json(['machines', 'awareness', 'pump-7'])
    assert.equal(aware.answer['aware'], true)
    const fed = await json(['machines', 'oracles', 'pump-7'])
    assert.deepEqual(fed.answer['oracles'], [])
  },
  MS_MAX,
)

closing(test, node, dir)
test.run()
