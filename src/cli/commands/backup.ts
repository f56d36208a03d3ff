import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openingOf, openingOptions, sealingOf, sealingOptions } from '#cli/archive-keys.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { configOf, OWNER_KEY_FILE } from '#cli/connection.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { type Io, present, table } from '#cli/io.ts'
import { CliError, storeProblem } from '#cli/problem.ts'
import type { ArchiveHead, BackupCode, BackupProgress, End, RunningNode } from '#node/backup.ts'
import { presenceOn } from '#node/runtime.ts'

const BYTES_PER_MB = 1e6
const NODE_CHARS = 8

/** How the refusals of archives end a command. */
const exitOf: Readonly<Record<BackupCode, Exit>> = {
  BACKUP_UNKNOWN: exits.verificationFailed,
  BACKUP_DAMAGED: exits.verificationFailed,
  BACKUP_NEWER: exits.couldNotCheck,
  BACKUP_LOCKED: exits.couldNotCheck,
  BACKUP_NO_SPACE: exits.couldNotCheck,
  BACKUP_EMPTY: exits.failure,
  BACKUP_EXISTS: exits.failure,
  BACKUP_KEYS: exits.failure,
  LOG_ROLLED_BACK: exits.failure,
  OTHER_NODE: exits.failure,
  HEAD_UNKNOWN: exits.failure,
}

/** What a person can do about some of them. */
const hints: Partial<Readonly<Record<BackupCode, string>>> = {
  LOG_ROLLED_BACK: '--force does it all the same',
  OTHER_NODE: 'restore into another directory (--data-dir), or --force',
  HEAD_UNKNOWN: 'run tickmesh fsck; --force goes on without knowing',
  BACKUP_LOCKED: '--passphrase-file, TICKMESH_BACKUP_PASSPHRASE or --identity-file',
}

const say = (io: Io, { stage, rows, bytes }: BackupProgress): void => {
  const counted = rows === undefined ? '' : `: ${rows} rows`
  const size = bytes === undefined ? '' : `, ${(bytes / BYTES_PER_MB).toFixed(0)} MB`
  io.redraw(`${stage}${counted}${size} …`)
}

/** Reads a failure as what can be told of it. @param damage the exit where rows are damaged */
const withAdvice = async (error: unknown, damage: Exit): Promise<unknown> => {
  const { BackupRefused } = await import('#node/backup.ts')
  if (!(error instanceof BackupRefused)) return storeProblem(error, damage)
  const hint = hints[error.code]
  const message = `${error.code}: ${error.message}${hint === undefined ? '' : ` — ${hint}`}`
  return new CliError(exitOf[error.code], message, { code: error.code, details: { part: error.part ?? null } })
}

/** A file that is not there, or may not be read, was not checked. */
const assertReadable = (file: string): void => {
  if (existsSync(file)) return
  throw new CliError(exits.couldNotCheck, `could not check: there is no ${file}`, { code: 'NO_FILE' })
}

const guarded = async <T>(io: Io, damage: Exit, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw await withAdvice(error, damage)
  } finally {
    io.redraw('')
  }
}

/** The node that has the database open, if one does. @throws CliError when a process holds it that is not ready */
const runningOn = (directory: string): RunningNode | undefined => {
  const presence = presenceOn(directory)
  if (presence.kind === 'held') {
    const message = `process ${presence.pid} holds ${directory} and is not ready; try again in a moment`
    throw new CliError(exits.tryLater, message, { code: 'NODE_NOT_READY', details: { data_directory: directory } })
  }
  if (presence.kind !== 'running') return undefined
  const key = readFileSync(join(directory, OWNER_KEY_FILE), 'utf8').trim()
  return { url: presence.runtime.url, key }
}

/** What `--json` and people are told of an archive. */
const viewOf = ({ head, end }: { readonly head: ArchiveHead; readonly end: End }) => ({
  release: head.release,
  data_schema: head.schema,
  node: head.node,
  genesis_mesh_tick: head.genesis_mesh_tick,
  last_tick: head.last_tick,
  logs: head.logs,
  rows: end.rows,
  tables: end.parts,
  key_files: end.files.map(({ name }) => name),
})

const rowsOf = (view: ReturnType<typeof viewOf>): string[][] => [
  ['node', view.node],
  ['release', `${view.release}, schema ${view.data_schema}`],
  ['rows', `${view.rows} in ${view.tables.length} tables`],
  ...view.logs.map(({ name, origin, size, root }) => [`${name} log`, `${size} leaves, root ${root} (${origin})`]),
  ['key files', view.key_files.length === 0 ? 'none' : view.key_files.join(', ')],
]

const create = command({
  path: 'backup create',
  summary: 'Write data and keys of the node into one archive; it may run meanwhile.',
  args: [{ name: '[file]', help: 'the archive; a name of its own in this folder when left out' }],
  options: [
    { flags: '--without-keys', help: 'leave the key files out: then the archive alone recovers nothing' },
    ...sealingOptions,
  ],
  examples: [
    'tickmesh backup create',
    'tickmesh backup create node.backup --passphrase-file phrase.txt',
    'tickmesh backup create node.backup --recipients age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const { dataDirectory: directory } = configOf(invocation)
    const sealing = await sealingOf(invocation)
    const { createBackup } = await import('#node/backup.ts')
    const keys = options['withoutKeys'] !== true
    const running = runningOn(directory)
    const file = resolve(args[0] ?? nameFor(directory))
    const made = await guarded(io, exits.failure, () =>
      createBackup({
        ...{ directory, file, keys, signal, onProgress: (progress) => say(io, progress) },
        ...(running !== undefined && { running }),
        ...(sealing !== undefined && { sealing }),
      }),
    )
    const view = viewOf(made)
    const more = { file, bytes: made.bytes, encrypted: made.encrypted, sha256: made.sha256 }
    present(io, { ok: true, ...more, ...view }, () =>
      table([['archive', `${file}, ${made.bytes} bytes`], ...rowsOf(view), ['sha256', made.sha256]]),
    )
    if (keys && !made.encrypted)
      io.say('it holds the keys of the node, and nothing keeps them secret: store it as you store them')
    return exits.ok
  },
})

/** The first name that is free: an archive never takes the place of another. */
const nameFor = (directory: string): string => {
  const presence = presenceOn(directory)
  const node = presence.kind === 'running' ? `-${presence.runtime.node.slice(-NODE_CHARS)}` : ''
  for (let n = 1; ; n++) {
    const name = `tickmesh${node}-${n}.backup`
    if (!existsSync(name)) return name
  }
}

const verify = command({
  path: 'backup verify',
  summary: 'Verify an archive: every byte against its digests, every row, chain, signature and sum in it.',
  args: [{ name: '<file>', help: 'the archive' }],
  options: [
    { flags: '--quick', help: 'digests and order alone' },
    {
      flags: '--work-dir <folder>',
      help: "where its rows are unpacked and looked at; left out, the system's temporary folder",
    },
    ...openingOptions,
  ],
  settings: 'none',
  examples: ['tickmesh backup verify node.backup', 'tickmesh backup verify node.backup --quick --json'],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [file = ''] = args
    assertReadable(file)
    const opening = await openingOf(invocation)
    const { verifyBackup } = await import('#node/backup.ts')
    const work = options['workDir']
    const found = await guarded(io, exits.verificationFailed, () =>
      verifyBackup({
        ...{ file, opening, quick: options['quick'] === true, signal },
        onProgress: (progress) => say(io, progress),
        ...(typeof work === 'string' && { work }),
      }),
    )
    const view = viewOf(found)
    const { sha256, report } = found
    const verdict = report === null ? 'digests fit; rows were not looked at' : `verified, ${report.rows} rows looked at`
    present(io, { ok: true, file, sha256, ...view, report }, () =>
      table([...rowsOf(view), ['sha256', sha256], ['verdict', verdict]]),
    )
    return exits.ok
  },
})

const restore = command({
  path: 'backup restore',
  summary: 'Put an archive into the data directory of a stopped node; what is there is moved aside.',
  args: [{ name: '<file>', help: 'the archive' }],
  options: [
    { flags: '--force', help: 'also over data that go further, are of another node, or cannot be read' },
    { flags: '--check', help: 'verify the archive to its last row first' },
    ...openingOptions,
  ],
  examples: ['tickmesh backup restore node.backup', 'tickmesh backup restore node.backup --data-dir ./second --check'],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [file = ''] = args
    const { dataDirectory: directory } = configOf(invocation)
    assertReadable(file)
    const opening = await openingOf(invocation)
    const { restoreBackup } = await import('#node/backup.ts')
    const [force, check] = [options['force'] === true, options['check'] === true]
    const done = await guarded(io, exits.verificationFailed, () =>
      restoreBackup({ directory, file, opening, force, check, signal, onProgress: (progress) => say(io, progress) }),
    )
    const view = viewOf(done)
    const aside = done.aside ?? null
    present(io, { ok: true, file, data_directory: directory, moved_aside: aside, ...view }, () =>
      table([
        ['restored', directory],
        ...rowsOf(view),
        ['before', aside === null ? 'nothing was there' : `is now in ${aside}`],
      ]),
    )
    warnOfKeys(invocation, view)
    return exits.ok
  },
})

const warnOfKeys = ({ io }: Invocation, { key_files }: ReturnType<typeof viewOf>): void => {
  if (key_files.length === 0) io.say('the archive held no keys: those of the directory stay')
}

export const backup: readonly Command[] = [create, verify, restore]
