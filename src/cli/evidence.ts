import { BUNDLE_BYTES_MAX, parseBundle } from '#core/bundle.ts'
import { Fault } from '#core/fault.ts'
import { isHex64, isNodeId } from '#core/ids.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/rerun.ts'
import { exits } from './exit.ts'
import { readBounded } from './files.ts'
import { CliError } from './problem.ts'

/** Bytes of a file with a key; the rest of its lines may be comments. */
const KEY_FILE_BYTES_MAX = 65_536

/**
 * A trusted key as it is given (a log's vkey, a public key in hex, a node id), or the first line with one in the file
 * of that name.
 *
 * @throws CliError (could not check) when there is no such file.
 */
export const readTrusted = async (given: string): Promise<string> => {
  if (isHex64(given) || isNodeId(given) || given.includes('+')) return given
  const unreadable = (why: string): CliError =>
    new CliError(exits.couldNotCheck, `could not check: --key ${given} is no key, and ${why}`, { code: 'NO_KEY' })
  const bytes = await readBounded(given, KEY_FILE_BYTES_MAX).catch((error: Error) => {
    throw unreadable(`as a file it cannot be read: ${error.message}`)
  })
  const lines = new TextDecoder().decode(bytes).split('\n')
  const key = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'))
  if (key === undefined) throw unreadable('the file of that name holds none')
  return key
}

/** How evidence is judged. */
export interface Judging {
  readonly trusted?: string
  readonly replay: boolean
}

const badForm = (detail: string): Verification => ({
  outcome: 'failed',
  failing: 'form',
  unchecked: [],
  steps: [{ step: 'form', state: 'failed', detail }],
})

const outOfReach = (detail: string): Verification => ({
  outcome: 'unchecked',
  unchecked: ['form'],
  steps: [{ step: 'form', state: 'skipped', detail }],
})

/**
 * Verifies a file (`-` is stdin). What is no bundle at all fails at its form, like one whose members do not fit; what
 * cannot be read is unchecked.
 */
export const judgeFile = async (file: string, { trusted, replay }: Judging): Promise<Verification> => {
  let source: Uint8Array | undefined
  try {
    source = await readBounded(file, BUNDLE_BYTES_MAX)
  } catch (error) {
    return outOfReach(error instanceof Error ? error.message : String(error))
  }
  if (source === undefined) return badForm(`The file is larger than the ${BUNDLE_BYTES_MAX} bytes of a bundle.`)
  let bundle: unknown
  try {
    bundle = parseBundle(source)
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
  return verifyBundle({
    bundle,
    schemas: schemasHere,
    ...(trusted !== undefined && { trusted }),
    ...(replay && { replay: replayHere }),
  })
}
