import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import type { FsckReport } from '#node/fsck.ts'

const keyStates: Readonly<Record<NonNullable<FsckReport['witness_key']>, string>> = {
  none: 'none; the next start makes one',
  fits: 'what it cosigned verifies',
  other: 'another one cosigned what is kept here: as it should be after a restore alone',
  unused: 'it has cosigned nothing that is kept here',
}

const progressOf = ({ stage, done }: { readonly stage: string; readonly done: number }): string =>
  `checking ${stage}: ${done.toLocaleString('en')} …`

const describe = (directory: string, report: FsckReport): string => {
  const { bad, leaves } = report
  const counted = table([
    ['rows', String(report.rows)],
    ['leaves', `${leaves.seal} of seals, ${leaves.events} of events`],
    ['checkpoints', String(report.checkpoints)],
    ['envelopes', String(report.envelopes)],
    ['transfers', String(report.transfers)],
    ['balances', String(report.balances)],
    ['accounts', String(report.accounts)],
    ['machines', `${report.machines} with ${report.entries} entries`],
    ...(report.witness_key === null ? [] : [['witness key', keyStates[report.witness_key]]]),
  ])
  const record = bad === null ? '' : [bad.table, bad.key].filter((it) => it !== '').join(' ')
  const verdict =
    bad === null ? `${directory}: clean` : `${directory}: NOT clean — first bad record: ${record}: ${bad.what}`
  return `${counted}\n${verdict}`
}

export const fsck = command({
  path: 'fsck',
  summary: 'Check the data of a stopped node: every log hashed again, every balance added again; writes nothing there.',
  examples: ['tickmesh fsck', 'tickmesh fsck --data-dir ./second --json'],

  async run(invocation): Promise<Exit> {
    const { io, signal } = invocation
    const { dataDirectory: directory } = configOf(invocation)
    // A program that reads the answer has no use for a line that is drawn again.
    const redraw = io.json ? () => undefined : io.redraw
    // No other command opens the database, and `verify` must not need its native code.
    const { fsck: check, isOutOfReach } = await import('#node/fsck.ts')
    try {
      const report = await check({
        directory,
        signal,
        onProgress: (progress) => redraw(progressOf(progress)),
      })
      redraw('')
      present(io, { ...report, data_directory: directory }, () => describe(directory, report))
      return report.ok ? exits.ok : exits.verificationFailed
    } catch (error) {
      redraw('')
      if (!isOutOfReach(error)) throw error
      const details = { data_directory: directory }
      throw new CliError(exits.couldNotCheck, `could not check: ${error.message}`, { code: 'NOT_CHECKED', details })
    }
  },
})
