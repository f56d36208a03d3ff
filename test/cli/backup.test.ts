// Goal: what a person types brings a node back: archives of a running and of a stopped one, verified, restored, refused
// with the exit codes of --help. Method: a running node, and commands on directories of their own, the first call of
// each as a process; archives that are altered, cut, encrypted or older than the data.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/backup')
const MS_MAX = 120_000
const dir = tempDir()
const home = dir.path
const terminal = terminalIn(home)
const { json, run } = terminal.once
const COMPUTE = ['compute', 'KO42,GR37', 'mass=1.98892e30']

const sizeOf = (answer: Answer): number => (answer['logs'] as { size: number }[])[0]?.size ?? -1

test(
  'while the node runs: a consistent archive with the keys; in its place nothing is ever put',
  async () => {
    await using node = await terminal.start()
    assert.equal((await run(COMPUTE)).code, 0)
    const working = Promise.all(Array.from({ length: 3 }, () => run(COMPUTE)))
    const early = await json(['backup', 'create', 'early.backup'])
    assert.equal(early.code, 0, early.stderr)
    await working
    assert.equal((await run(COMPUTE)).code, 0)
    const { code, answer, stderr } = await json(['backup', 'create', 'late.backup'])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /holds the keys of the node/)
    assert.equal(answer['encrypted'], false)
    assert.deepEqual(answer['key_files'], ['identity.key', 'node.secret', 'owner.key', 'vault.key'])
    assert.ok(sizeOf(answer) > sizeOf(early.answer))
    assert.equal(statSync(`${home}/late.backup`).mode & 0o777, 0o600)
    assert.equal(statSync(`${home}/late.backup`).size, answer['bytes'])

    const again = await json(['backup', 'create', 'late.backup'])
    assert.deepEqual([again.code, again.answer['code']], [1, 'BACKUP_EXISTS'])
    const named = await json(['backup', 'create'])
    assert.match(String(named.answer['file']), /tickmesh-\w{8}-1\.backup$/)
    const restoring = await json(['backup', 'restore', 'late.backup'])
    assert.deepEqual([restoring.code, restoring.answer['code']], [1, 'DIRECTORY_IN_USE'])
    const upgrading = await json(['upgrade', '--check'])
    assert.deepEqual([upgrading.code, upgrading.answer['code']], [4, 'DIRECTORY_IN_USE'])
    await node.end('SIGTERM')
    assert.deepEqual(
      readdirSync(home).filter((name) => name.endsWith('.part')),
      [],
    )
  },
  MS_MAX,
)

test(
  'verify says that it is whole, to the last row; a changed byte is 3, what cannot be looked at is 4',
  async () => {
    const { code, answer } = await json(['backup', 'verify', 'early.backup'])
    assert.equal(code, 0)
    assert.equal((answer['report'] as Answer)['ok'], true)
    assert.equal((answer['report'] as Answer)['rows'], answer['rows'])
    assert.equal((await json(['backup', 'verify', 'early.backup', '--quick'])).answer['report'], null)

    const whole = readFileSync(`${home}/early.backup`)
    const bent = Uint8Array.from(whole)
    bent[whole.length >> 1] = (bent[whole.length >> 1] as number) ^ 1
    writeFileSync(`${home}/bent.backup`, bent)
    writeFileSync(`${home}/cut.backup`, whole.subarray(0, whole.length - 100))
    writeFileSync(`${home}/noise.backup`, 'not an archive of anything')
    const outcomes: readonly (readonly [string, number, string])[] = [
      ['bent.backup', 3, 'BACKUP_DAMAGED'],
      ['cut.backup', 3, 'BACKUP_DAMAGED'],
      ['noise.backup', 3, 'BACKUP_UNKNOWN'],
      ['nowhere.backup', 4, 'NO_FILE'],
    ]
    for (const [file, exit, what] of outcomes) {
      const judged = await json(['backup', 'verify', file, '--quick'])
      assert.deepEqual([judged.code, judged.answer['code']], [exit, what], file)
    }
    const restoring = await json(['backup', 'restore', 'bent.backup', '--data-dir', 'empty'])
    assert.deepEqual([restoring.code, restoring.answer['code']], [3, 'BACKUP_DAMAGED'])
    assert.equal(existsSync(`${home}/empty`), false)
  },
  MS_MAX,
)

test(
  'restore: refuses an older head unless forced, keeps what was there, and the node goes on as itself',
  async () => {
    const older = await json(['backup', 'restore', 'early.backup'])
    assert.deepEqual([older.code, older.answer['code']], [1, 'LOG_ROLLED_BACK'])
    assert.match(String(older.answer['error']), /second history.*--force/)
    const elsewhere = await json(['backup', 'restore', 'late.backup', '--data-dir', 'second', '--check'])
    assert.deepEqual([elsewhere.code, elsewhere.answer['moved_aside']], [0, null], elsewhere.stderr)
    const fsck = await json(['fsck', '--data-dir', 'second'])
    assert.deepEqual([fsck.code, fsck.answer['bad']], [0, null])

    await using node = await terminal.start({ env: { TICKMESH_DATA: `${home}/second` } })
    const env = { TICKMESH_DATA: `${home}/second` }
    const status = await json(['status'], { env })
    assert.equal(status.code, 0)
    assert.equal((await run(COMPUTE, { env })).code, 0, 'the owner’s key and credits are there')
    await node.end('SIGTERM')

    const same = await json(['backup', 'restore', 'early.backup', '--force'])
    assert.equal(same.code, 0, same.stderr)
    assert.equal(same.answer['moved_aside'], `${terminal.data}/replaced-1`)
    const back = await json(['backup', 'restore', 'late.backup'])
    assert.equal(back.code, 0)
    assert.equal((await json(['fsck'])).code, 0)
  },
  MS_MAX,
)

test(
  'a stopped node: the same archive twice gives the same bytes; a kill leaves nothing under its name',
  async () => {
    const [one, two] = [await json(['backup', 'create', 'one.backup']), await json(['backup', 'create', 'two.backup'])]
    assert.equal(one.code, 0, one.stderr)
    assert.deepEqual(readFileSync(`${home}/one.backup`), readFileSync(`${home}/two.backup`))
    assert.equal(one.answer['sha256'], two.answer['sha256'])
    const bare = await json(['backup', 'create', 'bare.backup', '--without-keys'])
    assert.deepEqual(bare.answer['key_files'], [])
    const refused = await json(['backup', 'restore', 'bare.backup', '--data-dir', 'keyless'])
    assert.deepEqual([refused.code, refused.answer['code']], [1, 'BACKUP_KEYS'])
    const none = await json(['backup', 'create', 'none.backup', '--data-dir', 'nothing-here'])
    assert.deepEqual([none.code, none.answer['code']], [1, 'STORE_REFUSED'])
    assert.equal(existsSync(`${home}/nothing-here`), false)

    const { child, ended } = terminal.begin(['backup', 'create', 'killed.backup'])
    child.stderr?.once('data', () => undefined)
    child.kill('SIGKILL')
    await ended
    const left = existsSync(`${home}/killed.backup`) // Unless it was done before the kill came: then it is whole.
    if (left) assert.equal((await json(['backup', 'verify', 'killed.backup', '--quick'])).code, 0)
    assert.equal((await json(['fsck'])).code, 0)
  },
  MS_MAX,
)

test(
  'encrypted: by a passphrase from a file, stdin or the environment, or for a recipient; never by a flag',
  async () => {
    const phrase = 'a phrase of some words'
    writeFileSync(`${home}/phrase`, `${phrase}\n`)
    const made = await json(['backup', 'create', 'secret.backup', '--passphrase-file', 'phrase'])
    assert.deepEqual([made.code, made.answer['encrypted']], [0, true], made.stderr)
    assert.match(readFileSync(`${home}/secret.backup`, 'latin1'), /^age-encryption\.org\/v1\n/)
    const verify = ['backup', 'verify', 'secret.backup', '--quick']
    const locked = await json(verify)
    assert.deepEqual([locked.code, locked.answer['code']], [4, 'BACKUP_LOCKED'])
    const wrong = await json(verify, { env: { TICKMESH_BACKUP_PASSPHRASE: 'another phrase' } })
    assert.deepEqual([wrong.code, wrong.answer['code']], [4, 'BACKUP_LOCKED'])
    assert.equal((await json(verify, { env: { TICKMESH_BACKUP_PASSPHRASE: phrase } })).code, 0)
    assert.equal((await json([...verify, '--passphrase-file', '-'], { stdin: `${phrase}\n` })).code, 0)
    const short = await json(['backup', 'create', 'x.backup'], { env: { TICKMESH_BACKUP_PASSPHRASE: 'short' } })
    assert.deepEqual([short.code, short.answer['code']], [4, 'BACKUP_LOCKED'])
    assert.equal(existsSync(`${home}/x.backup`), false)

    const identity = await generateX25519Identity()
    writeFileSync(`${home}/identity.txt`, `# a comment\n${identity}\n`)
    const recipient = await identityToRecipient(identity)
    const sealed = await json(['backup', 'create', 'for-me.backup', '--recipients', recipient])
    assert.equal(sealed.code, 0, sealed.stderr)
    const opened = await json([
      'backup',
      'restore',
      'for-me.backup',
      '--data-dir',
      'third',
      '--identity-file',
      'identity.txt',
    ])
    assert.equal(opened.code, 0, opened.stderr)
    const both = await json(['backup', 'create', 'y', '--recipients', recipient, '--passphrase-file', 'phrase'])
    assert.deepEqual([both.code, both.answer['code']], [2, 'USAGE'])
  },
  MS_MAX,
)

test(
  'upgrade: says what is pending, archives first, migrates once, and leaves newer data alone',
  async () => {
    const { expectedOf, unpack } = await import('../store/fixtures.ts')
    mkdirSync(`${home}/old`)
    await unpack('schema-1', `${home}/old`)
    const at = ['--data-dir', 'old']
    const check = await json(['upgrade', '--check', ...at])
    assert.equal(check.code, 0, check.stderr)
    assert.deepEqual([check.answer['data_schema'], check.answer['newer']], [1, false])
    assert.equal((check.answer['pending'] as unknown[]).length, Number(check.answer['known_schema']) - 1)
    assert.match(String(check.answer['changes']), /^(Unreleased|\d)/)
    const stale = await json(['fsck', ...at])
    assert.deepEqual([stale.code, stale.answer['code']], [4, 'NOT_CHECKED'])

    const done = await json(['upgrade', ...at])
    assert.equal(done.code, 0, done.stderr)
    const archive = String(done.answer['archive'])
    assert.match(archive, /old\/backups\/before-schema-\d+-1\.backup$/)
    assert.equal((await json(['fsck', ...at])).code, 0)
    const again = await json(['upgrade', ...at])
    assert.deepEqual([again.code, again.answer['archive'], again.answer['pending']], [0, null, []])

    const verified = await json(['backup', 'verify', archive])
    assert.deepEqual([verified.code, verified.answer['data_schema']], [0, 1])
    assert.equal(verified.answer['node'], expectedOf('schema-1').node)
    const back = await json(['backup', 'restore', archive, ...at])
    assert.equal(back.code, 0, back.stderr)
    assert.equal((await json(['upgrade', '--check', ...at])).answer['data_schema'], 1)
    assert.equal((await json(['upgrade', '--no-backup', ...at])).answer['archive'], null)

    const none = await json(['upgrade', '--check', '--data-dir', 'nowhere'])
    assert.deepEqual([none.code, none.answer['data_schema']], [0, null])
    assert.equal(existsSync(`${home}/nowhere`), false)
    copyFileSync(`${home}/early.backup`, `${home}/kept.backup`)
  },
  MS_MAX,
)

test(
  'upgrade: data of a newer release are told of and refused',
  async () => {
    const { openDatabase } = await import('#store/database.ts')
    const { SCHEMA } = await import('#store/rows/basis.ts')
    {
      await using database = await openDatabase(`${home}/old/db`, false)
      await database.write([{ table: 'schema', key: 'version', row: SCHEMA + 1 }])
    }
    const check = await json(['upgrade', '--check', '--data-dir', 'old'])
    assert.deepEqual([check.code, check.answer['ok'], check.answer['newer']], [1, false, true])
    const refused = await json(['upgrade', '--data-dir', 'old'])
    assert.deepEqual([refused.code, refused.answer['code']], [1, 'STORE_REFUSED'])
    const archive = await json(['backup', 'create', 'newer.backup', '--data-dir', 'old'])
    assert.deepEqual([archive.code, archive.answer['code']], [4, 'BACKUP_NEWER'])
    const over = await json(['backup', 'restore', 'kept.backup', '--data-dir', 'old'])
    assert.deepEqual([over.code, over.answer['code']], [1, 'HEAD_UNKNOWN'])
    writeFileSync(`${home}/old/db/CURRENT`, 'no name of a file')
    for (const command of ['upgrade', 'backup create']) {
      const damaged = await json([...command.split(' '), '--data-dir', 'old'])
      assert.deepEqual([damaged.code, damaged.answer['code']], [1, 'CORRUPT_ROW'], command)
      assert.equal((damaged.answer['details'] as { table: string }).table, 'file', command)
    }
  },
  MS_MAX,
)

test.run()
