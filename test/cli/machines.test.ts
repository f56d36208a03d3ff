// Goal: the commands about machines do what their endpoints do, take their input from words, files and stdin alike,
// show a secret once and on stdout alone, ask before what cannot be taken back, and refuse words that could lead
// elsewhere. Method: one node as a process; the commands in this one, but those that read stdin; hashes are computed
// here a second time.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { explain } from '#cli/explain.ts'
import { type Io, processIo } from '#cli/io.ts'
import { runProgram } from '#cli/program.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, forEach, terminalIn } from './terminal.ts'

const test = suite('cli/machines')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const row = async (slug: string, seq: unknown): Promise<Answer> => {
  const { answer } = await json(['machines', 'block', slug, '--seq', String(seq)])
  return answer['block'] as Answer
}
const bodyOf = async (slug: string, seq: unknown): Promise<Answer> => (await row(slug, seq))['body'] as Answer

test(
  'a machine is made with its key on stdout alone, and is listed, shown, renamed and paused',
  async () => {
    const made = await run(['machines', 'create', 'pump-7', '--is-public', 'true', '--display-name', 'Pump 7'])
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /^zsm_[0-9A-Za-z]{43}\n$/)
    assert.ok(!made.stderr.includes(made.stdout.trim()))
    const second = await run(['machines', 'create', 'quiet-1', '--quiet'])
    assert.deepEqual([second.code, second.stderr], [0, ''])

    const text = await run(['machines', 'list'])
    assert.match(text.stdout, /^slug +status .*\n(?:.*\n)*pump-7 +active +true/m)
    const named = { display_name: 'Pump seven', purpose: null }
    const changed = await json(['machines', 'settings', 'pump-7', '--data', '-'], { stdin: JSON.stringify(named) })
    assert.equal((changed.answer['machine'] as Answer)['display_name'], 'Pump seven')
    assert.equal((await json(['machines', 'status', 'quiet-1', 'paused'])).code, 0)
    const shown = await json(['machines', 'show', 'quiet-1'])
    assert.equal((shown.answer['machine'] as Answer)['status'], 'paused')
    const refused = await json(['machines', 'event', 'quiet-1'])
    assert.deepEqual([refused.code, refused.answer['code']], [1, 'MACHINE_NOT_ACTIVE'])
  },
  MS_MAX,
)

test(
  'the payload of an event is the same from a word, a file and stdin, and is kept by its hash alone',
  async () => {
    const payload = '{"b": 1.50, "a": [1, "ü"]}'
    const expected = sha256('{"a":[1,"ü"],"b":1.5}') // RFC 8785 by hand
    writeFileSync(`${dir.path}/payload.json`, payload)
    const ways: readonly (readonly [readonly string[], string?])[] = [
      [['--payload', payload]],
      [['--payload', '@payload.json']],
      [['--payload', '-'], payload],
      [['--data', '-'], `{"payload":${payload}}`],
    ]
    for (const [words, stdin] of ways) {
      const { code, answer } = await json(['machines', 'event', 'pump-7', 'reading', ...words], { stdin: stdin ?? '' })
      assert.equal(code, 0, words.join(' '))
      const { event, payload_hash: hash } = await bodyOf('pump-7', answer['seq'])
      assert.deepEqual([event, hash], ['reading', expected], words.join(' '))
    }
    const text = await run(['machines', 'events', 'pump-7', '--event', 'reading'])
    assert.equal(text.stdout.split('\n').filter((line) => line.includes('reading')).length, ways.length)
    assert.ok(!text.stdout.includes('"ct"'), 'sealed members are for the owner')
  },
  MS_MAX,
)

test(
  'a file is hashed here and stays here; so is a state',
  async () => {
    const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) & 255)
    writeFileSync(`${dir.path}/log.bin`, bytes)
    const file = await json(['machines', 'file', 'pump-7', 'log.bin', '--media-type', 'application/octet-stream'])
    const said = await bodyOf('pump-7', file.answer['seq'])
    assert.deepEqual([said['file_hash'], said['bytes']], [sha256(bytes), bytes.length])
    const state = await json(['machines', 'state', 'set', 'pump-7', '-'], { stdin: 'here' })
    assert.equal(state.code, 0)
    const read = await json(['machines', 'state', 'get', 'pump-7'])
    assert.equal(read.answer['state_hash'], sha256('here'))
    const both = await json(['machines', 'file', 'pump-7', 'log.bin', '--hash', sha256('x')])
    assert.deepEqual([both.code, both.answer['code']], [2, 'USAGE'])
    assert.equal((await json(['machines', 'file', 'pump-7', 'nowhere.bin'])).answer['code'], 'ENOENT')
    const connection = await json(['machines', 'connection', 'pump-7', 'inbound', '--address', '192.0.2.7'])
    const opened = await json(['machines', 'decrypt', 'pump-7', '--from', '0', '--to', '1000000'])
    const entries = opened.answer['entries'] as readonly Answer[]
    const members = entries.find(({ seq }) => seq === connection.answer['seq'])?.['members'] as Answer
    assert.equal(members['address'], '192.0.2.7')
  },
  MS_MAX,
)

test(
  "a machine's key reaches as far as its scope, and is gone when it was revoked, which has to be confirmed",
  async () => {
    const made = await json(['machines', 'keys', 'create', 'pump-7', 'reader', '--scope', 'read'])
    const env = { TICKMESH_URL: node.url, TICKMESH_KEY: String(made.answer['api_key']) }
    assert.equal((await json(['machines', 'events', 'pump-7'], { env })).code, 0)
    const write = await json(['machines', 'event', 'pump-7'], { env })
    assert.deepEqual([write.code, write.answer['code']], [1, 'SCOPE_REQUIRED'])
    const listed = await run(['machines', 'keys', 'list', 'pump-7'])
    assert.match(listed.stdout, /reader +read/)
    assert.ok(!listed.stdout.includes(env.TICKMESH_KEY))

    const revoke = ['machines', 'keys', 'revoke', 'pump-7', String(made.answer['id'])]
    for (const words of [revoke, [...revoke, '--no-input']]) {
      const asked = await json(words, { stdin: 'y\n' })
      assert.deepEqual([asked.code, asked.answer['code']], [2, 'NOT_CONFIRMED'], 'a pipe confirms nothing')
    }
    assert.equal((await json(['machines', 'events', 'pump-7'], { env })).code, 0, 'it was not revoked')
    assert.equal((await json([...revoke, '--yes'])).code, 0)
    const after = await json(['machines', 'events', 'pump-7'], { env })
    assert.deepEqual([after.code, after.answer['code']], [1, 'UNAUTHENTICATED'])
    const strange = { TICKMESH_URL: node.url, TICKMESH_KEY: `zsm_${'0'.repeat(43)}` }
    assert.equal((await json(['machines', 'list'], { env: strange })).answer['code'], 'UNAUTHENTICATED')
  },
  MS_MAX,
)

test(
  'a share token comes from a file or stdin, never from a word, and a wrong one opens nothing',
  async () => {
    const shared = await run(['machines', 'share', 'pump-7'])
    assert.equal(shared.code, 0)
    assert.ok(!shared.stderr.includes(shared.stdout.trim()))
    writeFileSync(`${dir.path}/token`, shared.stdout)
    const right = await json(['machines', 'unlock', 'pump-7', '--token-file', 'token'])
    assert.deepEqual([right.code, right.answer['role']], [0, 'owner'])
    const wrong = await json(['machines', 'unlock', 'pump-7', '--token-file', '-'], { stdin: 'wrong' })
    assert.deepEqual([wrong.code, wrong.answer['code']], [1, 'NOT_FOUND'])
    const word = await json(['machines', 'unlock', 'pump-7', '--token', 'x'])
    assert.deepEqual([word.code, word.answer['code']], [2, 'USAGE'])
    assert.equal((await json(['machines', 'unlock', 'pump-7', '--token-file', '-'], { stdin: '\n' })).code, 2)
    assert.equal((await json(['machines', 'unshare', 'pump-7'])).code, 0)
    const over = await json(['machines', 'unlock', 'pump-7', '--token-file', 'token'])
    assert.equal(over.answer['code'], 'NOT_FOUND')
  },
  MS_MAX,
)

test(
  'an anchor names the head; verify-anchor tells a wrong id by its exit code',
  async () => {
    assert.equal((await run(['machines', 'create', 'mother', '--is-public', 'true'])).code, 0)
    assert.equal((await json(['machines', 'anchor', 'mother', 'pump-7'])).code, 0)
    const { answer } = await json(['machines', 'anchors', 'who', 'mother'])
    assert.equal((answer['machines'] as unknown[]).length, 1)
    const { machine } = (await json(['machines', 'show', 'pump-7'])).answer as { machine: Answer }
    const { genesis_hash: genesis, id_hash: id } = machine
    const given = ['machines', 'verify-anchor', 'pump-7', '--genesis-hash', String(genesis), '--id-hash']
    assert.deepEqual([(await json([...given, String(id)])).code, (await json([...given, '0'.repeat(64)])).code], [0, 3])
  },
  MS_MAX,
)

test(
  'every reading command answers, as text and as JSON',
  async () => {
    const calls = ['at', 'explore', 'stats', 'analytics', 'sources', 'validate', 'events'].map((it) => [it, 'pump-7'])
    const feeds = ['active', 'newest', 'recent', 'fleet'].map((it) => [it])
    const members = [
      ['members', 'list', 'pump-7'],
      ['anchors', 'list', 'mother'],
      ['anchors', 'config', 'pump-7'],
    ]
    await forEach([...calls, ...feeds, ...members], async (words) => {
      const more = words[0] === 'at' ? ['--seq', '0'] : []
      const { code, answer } = await json(['machines', ...words, ...more])
      assert.deepEqual([code, answer['ok']], [0, true], words.join(' '))
    })
    const text = await run(['machines', 'stats', 'pump-7'])
    assert.match(text.stdout, /^slug +pump-7$/m)
  },
  MS_MAX,
)

/** The end of a call that is made in this process: what it prints. */
const ioTo = (told: string[]): Io => ({
  ...processIo({ json: true, quiet: true }),
  out: (text) => void told.push(text),
  complain: () => undefined,
})

test(
  'words that are off never reach the node, and nothing in a path leads elsewhere',
  async () => {
    const usage: readonly (readonly string[])[] = [
      ['machines', 'show'],
      ['machines', 'show', '..'],
      ['machines', 'show', '../../daemon'],
      ['machines', 'show', 'a/b'],
      ['machines', 'show', 'a%2fb'],
      ['machines', 'show', ''],
      ['machines', 'show', 'A'],
      ['machines', 'show', 'x'.repeat(100_000)],
      ['machines', 'show', 'pump-7\n'],
      ['machines', 'show', 'pump-7', 'more'],
      ['machines', 'show', '--', '--json-x'],
      ['machines', 'status', 'pump-7', 'broken'],
      ['machines', 'status', 'pump-7'],
      ['machines', 'explore', 'pump-7', '--limit', '0'],
      ['machines', 'explore', 'pump-7', '--limit', '1e2'],
      ['machines', 'explore', 'pump-7', '--limit', '9'.repeat(17)],
      ['machines', 'explore', 'pump-7', '--from', '-1'],
      ['machines', 'create', 'x', '--is-public', 'yes'],
      ['machines', 'event', 'pump-7', '--payload', '{x'],
      ['machines', 'event', 'pump-7', '--hash', 'ff'],
      ['machines', 'event', 'pump-7', 'n'.repeat(65)],
      ['machines', 'event', 'pump-7', '--data', '{"payload":1}'],
      ['machines', 'event', 'pump-7', '--payload', '-', '--data', '-'],
      ['machines', 'keys', 'revoke', 'pump-7', '../x', '--yes'],
      ['machines', 'members', 'add', 'pump-7', 'zid1x', 'viewer'],
      ['machines', 'decrypt', 'pump-7'],
      ['machines', 'block', 'pump-7'],
      ['machines', 'block', '..', '1'],
      ['machines', 'follow', '..'],
      ['machines', 'export', '../x'],
      ['jobs', 'show', '../keys'],
      ['jobs', 'wait', '..'],
      ['jobs', 'cancel', ''],
      ['peers', '--every', '0'],
    ]
    for (const words of usage) {
      const said = words.join(' ').slice(0, 200)
      const refused = await runProgram(words).then(
        (code) => assert.fail(`${said}: ${code}`),
        (error: unknown) => error,
      )
      const lines: string[] = []
      assert.equal(explain(ioTo(lines), refused), 2, said)
      const answer = JSON.parse(lines[0] ?? '') as Answer
      assert.deepEqual([answer['ok'], answer['code']], [false, 'USAGE'], said)
    }
    for (const stdin of ['', '[1]', 'null', '{"x":1}', '{"__proto__":1}', '\u0000', '{"type":1}']) {
      const { code } = await json(['machines', 'event', 'pump-7', '--data', '-'], { stdin })
      assert.equal(code, 2, stdin)
    }
    const binary = await json(['machines', 'event', 'pump-7', '--payload', '-'], {
      stdin: Uint8Array.of(0xff, 0, 0xfe),
    })
    assert.equal(binary.code, 2)
    const huge = await json(['machines', 'event', 'pump-7', '--payload', '-'], { stdin: `"${'x'.repeat(2_000_000)}"` })
    assert.deepEqual([huge.code, huge.answer['code']], [1, 'BODY_TOO_LARGE'])
    assert.equal((await json(['machines', 'show', 'no-such'])).answer['code'], 'NOT_FOUND')
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
