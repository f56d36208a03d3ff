import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { present, printable } from '#cli/io.ts'
import { CliError, storeProblem } from '#cli/problem.ts'
import { presenceOn } from '#node/runtime.ts'
import type { Upgraded, UpgradeView } from '#node/upgrade.ts'

const describe = (directory: string, view: UpgradeView): string => {
  const { release, schema, known, newer, pending, changes } = view
  const lines = [`release  ${release}, schema ${known}`]
  lines.push(`data     ${schema === null ? `none in ${directory}` : `schema ${schema} in ${directory}`}`)
  if (newer) lines.push('         a newer release wrote them: this one refuses them')
  else if (pending.length === 0) lines.push('         nothing to migrate')
  for (const { from, to, why } of pending) lines.push(`pending  ${from} to ${to}: ${why}`)
  if (changes !== '') lines.push('', changes)
  return printable(lines.join('\n'))
}

/** `schema` is the word by which every answer names its own form. */
const answerOf = (directory: string, { release, schema, known, newer, pending, changes }: UpgradeView) => ({
  ...{ data_directory: directory, release, data_schema: schema, known_schema: known },
  ...{ newer, pending, changes },
})

/** A running node has brought its data up itself; that they are this release's is known if it is this release. */
const refuseRunning = (directory: string): void => {
  const presence = presenceOn(directory)
  if (presence.kind === 'none' || presence.kind === 'gone') return
  const pid = presence.kind === 'running' ? presence.runtime.pid : presence.pid
  const runs = `process ${pid} runs on ${directory}, and its data are as its own release wants them`
  const message = `${runs}: first \`tickmesh stop\``
  throw new CliError(exits.couldNotCheck, message, { code: 'DIRECTORY_IN_USE', details: { data_directory: directory } })
}

export const upgrade = command({
  path: 'upgrade',
  summary: "Bring a stopped node's data up to this release, after an archive of them; a start does the same.",
  options: [
    {
      flags: '--check',
      help: 'only say what would be done: 0 nothing or something to migrate, 1 data of a newer release',
    },
    { flags: '--no-backup', help: 'write no archive first' },
  ],
  examples: ['tickmesh upgrade --check', 'tickmesh upgrade'],
  async run(invocation): Promise<Exit> {
    const { io, options } = invocation
    const { dataDirectory: directory, config } = configOf(invocation)
    refuseRunning(directory)
    const { checkUpgrade, runUpgrade } = await import('#node/upgrade.ts')
    try {
      if (options['check'] === true) {
        const view = await checkUpgrade(directory)
        present(io, { ok: !view.newer, ...answerOf(directory, view) }, () => describe(directory, view))
        return view.newer ? exits.failure : exits.ok
      }
      const backup = options['backup'] !== false && config.upgrade.backup
      const done = await runUpgrade(directory, {
        backup,
        onProgress: ({ from, to, rows, done: over }) =>
          over
            ? io.say(`migrated ${from} to ${to}: ${rows} rows`)
            : io.redraw(`migrating ${from} to ${to}: ${rows} rows …`),
      })
      io.redraw('')
      const more = { archive: done.archive }
      present(io, { ok: true, ...answerOf(directory, done), ...more }, () => resultLine(directory, done))
      return exits.ok
    } catch (error) {
      io.redraw('')
      throw await storeProblem(error, exits.failure)
    }
  },
})

const resultLine = (directory: string, { schema, known, pending, archive }: Upgraded): string => {
  if (schema === null) return `there are no data in ${directory}`
  if (pending.length === 0) return `the data have schema ${known}: nothing to migrate`
  const before = archive === null ? 'without an archive' : `before: ${archive}`
  return `the data have schema ${known} now (${before})`
}
