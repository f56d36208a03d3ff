import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Advisory, advisoriesOf, advisoryText } from '#core/advisory.ts'
import { BUNDLE_BYTES_MAX, bundleOf } from '#core/bundle.ts'
import { ERROR_PCT_MAX } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import type { Replayed } from '#core/verify.ts'
import { rerunToday } from '#node/offline.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { quantity } from './answer.ts'
import type { Invocation } from './command.ts'
import { type Exit, exits, worst } from './exit.ts'
import { readBounded } from './files.ts'
import { jsonText, printable } from './io.ts'
import { CliError } from './problem.ts'

/** What became of one receipt. */
interface Rechecked {
  readonly file: string
  /** `same`: the value is that of today; `moved`: it is not; `unavailable`: there is none today, or no receipt. */
  readonly state: 'same' | 'moved' | 'unavailable'
  readonly solver: string | null
  /** name@revision that ran now. */
  readonly by: string | null
  readonly unit: string | null
  readonly old: number | null
  readonly new: number | null
  /** (old − new) in percent of new; null where either is none. */
  readonly difference_pct: number | null
  readonly why: string | null
  readonly advisories: readonly Advisory[]
}

const nothing = { solver: null, by: null, unit: null, old: null, new: null, difference_pct: null, advisories: [] }

const without = (file: string, why: string): Rechecked => ({ file, state: 'unavailable', ...nothing, why })

const differencePct = (old: number | null, now: number | null): number | null => {
  if (old === null || now === null) return null
  return old === now ? 0 : (100 * (old - now)) / Math.abs(now)
}

const refusedNow = (again: Replayed): string | undefined => {
  if ('unavailable' in again) return again.unavailable
  return Number.isNaN(again.measured) ? 'It is refused on these inputs today.' : undefined
}

const recheckBytes = (file: string, source: Uint8Array): Rechecked => {
  const { envelope, inputs } = bundleOf(parseJson(source, BUNDLE_BYTES_MAX))
  const { claim } = envelope
  const revision = solverByName(claim.kind)?.revision
  const by = revision === undefined ? claim.code.solver : `${claim.kind}@${revision}`
  const about = { file, solver: claim.code.solver, by, unit: claim.unit, old: claim.value }
  const advisories = advisoriesOf(claim, inputs, advisoriesHere())
  const gone = (why: string): Rechecked => ({
    ...{ ...about, state: 'unavailable', new: null, difference_pct: null, why, advisories },
  })
  if (inputs === undefined) return gone('The bundle carries no inputs to run again.')
  const again = rerunToday(claim, inputs as object)
  const why = refusedNow(again)
  if ('unavailable' in again || why !== undefined) return gone(why ?? '')
  const difference = differencePct(claim.value, again.value)
  const state = again.value === claim.value ? 'same' : 'moved'
  return { ...about, state, new: again.value, difference_pct: difference, why: null, advisories }
}

const recheckFile = async (file: string): Promise<Rechecked> => {
  try {
    const source = await readBounded(file, BUNDLE_BYTES_MAX)
    if (source === undefined) return without(file, `It is larger than the ${BUNDLE_BYTES_MAX} bytes of a bundle.`)
    return recheckBytes(file, source)
  } catch (error) {
    if (error instanceof Fault || (error as NodeJS.ErrnoException).code !== undefined) {
      return without(file, (error as Error).message)
    }
    throw error
  }
}

const describe = (it: Rechecked): string => {
  const known = it.advisories.map((row) => `  ADVISORY ${advisoryText(row)}`)
  if (it.state === 'unavailable') return [`${it.file}: cannot be rechecked — ${it.why}`, ...known].join('\n')
  const [old, now] = [quantity(it.old, it.unit), quantity(it.new, it.unit)]
  const moved = it.difference_pct === null ? 'moved' : `off by ${Number(it.difference_pct.toPrecision(3))} %`
  const line = it.state === 'same' ? `${old}, the same` : `old ${old}, new ${now}: ${moved}`
  return [`${it.file}: ${it.solver} → ${it.by}, ${line}`, ...known].join('\n')
}

const exitOf = ({ state, advisories, difference_pct: off }: Rechecked): Exit => {
  if (advisories.length > 0) return exits.withdrawn
  if (state === 'unavailable') return exits.couldNotCheck
  return state === 'moved' && !(Math.abs(off ?? Number.NaN) <= ERROR_PCT_MAX) ? exits.withdrawn : exits.ok
}

/** The receipts of a directory by name. @throws CliError where it cannot be read, or holds none */
const receiptsIn = async (directory: string): Promise<readonly string[]> => {
  const names = await readdir(directory).catch((error: Error) => {
    throw new CliError(exits.couldNotCheck, `could not check: ${directory} cannot be read: ${error.message}`, {
      code: 'NOT_CHECKED',
    })
  })
  const files = names.filter((name) => name.endsWith('.json')).sort()
  if (files.length > 0) return files.map((name) => join(directory, name))
  throw new CliError(exits.couldNotCheck, `could not check: ${directory} holds no file that ends in .json`, {
    code: 'NOT_CHECKED',
  })
}

/**
 * Computes the receipts of a directory again with what runs today, and says how far each value has moved.
 *
 * @throws CliError (could not check) for a directory that cannot be read or holds no receipt.
 */
export const recheckFiles = async ({ io, args }: Invocation): Promise<Exit> => {
  const files: Rechecked[] = []
  for (const file of await receiptsIn(args[0] as string)) {
    const found = await recheckFile(file)
    files.push(found)
    if (!io.json) io.out(printable(describe(found)))
  }
  const exit = worst(files.map(exitOf))
  if (io.json) io.out(jsonText({ ok: exit === exits.ok, files }))
  return exit
}
