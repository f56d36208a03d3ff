import { existsSync } from 'node:fs'
import { isSlug } from '#core/slug.ts'
import { replayTally, type TallyReplay } from '#core/token-ranges.ts'
import type { Invocation } from './command.ts'
import { connect } from './connection.ts'
import { describe, listText } from './describe.ts'
import { exitOf, readTrust, stepLines, verifyFile } from './evidence.ts'
import { type Exit, exits } from './exit.ts'
import { STDIN } from './files.ts'
import { present, printable } from './io.ts'

/** Holders that are listed: of more the first ranges say enough. */
const SHOWN_MAX = 50

/** What a chain comes to, for people and programs. */
const shownOf = ({ entries, withheld, issued, moved, max_supply, ranges, balances, broken }: TallyReplay) => {
  const known = withheld === 0
  return {
    valid: broken === undefined,
    ...{ token_entries: entries, withheld },
    issued: known ? issued : null,
    moved: known ? moved : null,
    max_supply: known ? max_supply : null,
    ranges: known ? ranges : null,
    balances: known ? Object.fromEntries(balances) : null,
    broken_at: broken?.seq ?? null,
    message: broken === undefined ? null : `Entry ${broken.seq}: ${broken.why}.`,
  }
}

/** @param failing the step that failed: of a chain that is not the machine's nothing adds up. */
const linesOf = (file: string, found: ReturnType<typeof shownOf>, failing: string | null): string => {
  if (failing !== null)
    return `${file}: NOT verified — ${failing} failed, so what its entries come to counts for nothing`
  if (found.token_entries === 0) return `${file}: the machine has no token`
  if (found.message !== null) return `${file}: the token does NOT add up — ${found.message}`
  if (found.ranges === null) {
    return `${file}: ${found.withheld} of ${found.token_entries} entries are sealed; only their owner can add them up`
  }
  const { issued, max_supply, ranges } = found
  const rows = ranges.slice(0, SHOWN_MAX)
  const more = ranges.length > rows.length ? [`and ${ranges.length - rows.length} more`] : []
  const list = listText(rows, ['first', 'last', 'owner', 'seq'])
  return [list, ...more, `${file}: the token adds up: ${issued} of ${max_supply} units, ${ranges.length} ranges`].join(
    '\n',
  )
}

const fromFile = async ({ io, options }: Invocation, file: string): Promise<Exit> => {
  const found = await verifyFile(file, { ...(await readTrust(options)), replay: false })
  const { outcome, failing = null, unchecked, steps } = found
  const chain = 'chain' in found ? found.chain : undefined
  const tally = chain === undefined ? null : shownOf(replayTally(chain.entries))
  const last = tally === null ? `${file}: ${outcome}, and no chain` : linesOf(file, tally, failing)
  const exit = tally?.valid === false ? exits.verificationFailed : exitOf[outcome]
  present(io, { ok: exit === exits.ok, file, outcome, failing, unchecked, steps, tally }, () =>
    printable([...stepLines(found), last].join('\n')),
  )
  return exit
}

/**
 * Adds a machine's token up again: from a chain file, offline, or at the node that has the machine.
 *
 * @throws CliError as `readTrust` does
 */
export const verifyTally = async (invocation: Invocation): Promise<Exit> => {
  const { io, args, signal } = invocation
  const [word = ''] = args
  if (word === STDIN || !isSlug(word) || existsSync(word)) return fromFile(invocation, word)
  const found = await connect(invocation).client.call('machines.tally-verify', { slug: word }, { signal })
  present(io, found, () => describe(found))
  return found.valid ? exits.ok : exits.verificationFailed
}
