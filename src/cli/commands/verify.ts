import { existsSync, readFileSync, statSync } from 'node:fs'
import { command, type Invocation } from '#cli/command.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { type Io, present } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'

import { BUNDLE_BYTES_MAX, parseBundle } from '#core/bundle.ts'
import { Fault } from '#core/fault.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { replayHere, schemasHere } from '#node/offline.ts'

const readSource = async (io: Io, file: string): Promise<Uint8Array> => {
  if (file === '-') return io.readStdin()
  if (!existsSync(file)) throw new CliError(exits.couldNotCheck, `${file} does not exist`)
  if (statSync(file).size > BUNDLE_BYTES_MAX) {
    throw new CliError(exits.verificationFailed, `form: ${file} is larger than ${BUNDLE_BYTES_MAX} bytes`)
  }
  return new Uint8Array(readFileSync(file))
}

/** A key is given as it is, or as a file that holds it on its first line. */
const readKey = (given: string): string =>
  existsSync(given) ? (readFileSync(given, 'utf8').split('\n')[0] ?? '').trim() : given

const exitOf: Readonly<Record<Verification['outcome'], Exit>> = {
  verified: exits.ok,
  failed: exits.verificationFailed,
  unchecked: exits.couldNotCheck,
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const

const describe = (found: Verification, file: string): string => {
  const lines = found.steps
    .filter(({ detail }) => detail !== 'An earlier step failed.')
    .map(({ step, state, detail }) => `${marks[state]}  ${step.padEnd(11)}${detail}`)
  const claim = found.bundle?.envelope.claim
  const verdict = {
    verified: `${file}: verified${claim === undefined ? '' : ` — ${claim.kind}, value ${claim.value ?? 'null'} ${claim.unit}`}`,
    failed: `${file}: NOT verified — ${found.failing} failed`,
    unchecked: `${file}: could not check ${found.unchecked.join(', ')}`,
  }
  return [...lines, verdict[found.outcome]].join('\n')
}

/** A file that is no bundle at all fails at its form, like one whose members do not fit. */
const verification = (source: Uint8Array, trusted: string | undefined, replay: boolean): Verification => {
  let bundle: unknown
  try {
    bundle = parseBundle(source)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const form = { step: 'form', state: 'failed', detail: error.message } as const
    return { outcome: 'failed', failing: 'form', unchecked: [], steps: [form] }
  }
  return verifyBundle({
    bundle,
    schemas: schemasHere,
    ...(trusted !== undefined && { trusted }),
    ...(replay && { replay: replayHere }),
  })
}

const run = async ({ io, args, options }: Invocation): Promise<Exit> => {
  const [file = '-'] = args
  const key = options['key']
  const source = await readSource(io, file)
  const found = verification(source, typeof key === 'string' ? readKey(key) : undefined, options['replay'] === true)
  const { outcome, failing, unchecked, steps } = found
  const claim = found.bundle?.envelope.claim ?? null
  present(io, { ok: outcome === 'verified', outcome, failing: failing ?? null, unchecked, steps, claim, file }, () =>
    describe(found, file),
  )
  return exitOf[outcome]
}

export const verify = command({
  path: 'verify',
  summary: 'Verify a receipt offline: no network, no node.',
  args: [{ name: '<file>', help: 'a bundle; - is stdin' }],
  options: [
    { flags: '--key <key>', help: "whom you trust: a log's vkey, a public key in hex, a node id, or a file with one" },
    { flags: '--replay', help: 'run the solver again and compare the bits' },
  ],
  examples: [
    'tickmesh verify heat.json --key 12D3KooW…',
    'tickmesh verify heat.json --key trusted.vkey --replay --json',
  ],
  run,
})
