import { command } from '#cli/command.ts'
import { type Judged, judgeFile, readPolicyFile, readSuccessions, readTrusted } from '#cli/evidence.ts'
import { type Exit, exits, worst } from '#cli/exit.ts'
import { jsonText, printable } from '#cli/io.ts'
import type { Claim } from '#core/claim.ts'
import type { Verification } from '#core/verify.ts'

const exitOf: Readonly<Record<Verification['outcome'], Exit>> = {
  verified: exits.ok,
  failed: exits.verificationFailed,
  unchecked: exits.couldNotCheck,
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const

/** What a bundle claims; a chain claims nothing but itself. */
const claimOf = (found: Judged): Claim | undefined => ('bundle' in found ? found.bundle?.envelope.claim : undefined)

const supersededBy = (found: Judged): string | null =>
  'superseded' in found ? (found.superseded?.new_node ?? null) : null

const describe = (found: Judged, file: string): string => {
  const lines = found.steps
    .filter(({ detail }) => detail !== 'An earlier step failed.')
    .map(({ step, state, detail }) => `${marks[state]}  ${step.padEnd(11)}${detail}`)
  const claim = claimOf(found)
  const verdict = {
    verified: `verified${claim === undefined ? '' : ` — ${claim.kind}, value ${claim.value ?? 'none'} ${claim.unit}`}`,
    failed: `NOT verified — ${found.failing} failed${supersededBy(found) === null ? '' : ': the key is superseded'}`,
    unchecked: `could not check ${found.unchecked.join(', ')}`,
  }
  return [...lines, `${file}: ${verdict[found.outcome]}`].join('\n')
}

const shown = (found: Judged, file: string) => ({
  file,
  outcome: found.outcome,
  failing: found.failing ?? null,
  unchecked: found.unchecked,
  steps: found.steps,
  claim: claimOf(found) ?? null,
  superseded_by: supersededBy(found),
  cosigners: 'cosigners' in found ? (found.cosigners ?? null) : null,
})

export const verify = command({
  path: 'verify',
  summary: 'Verify receipts offline: no network, no node.',
  args: [
    {
      name: '<files...>',
      help: 'bundles, or chains of machines; - is stdin. The worst of them decides the exit code',
      choices: 'files',
    },
  ],
  options: [
    { flags: '--key <key>', help: "whom you trust: a log's vkey, a public key in hex, a node id, or a file with one" },
    {
      flags: '--policy <file>',
      help: 'a C2SP tlog-policy: whose logs count and which witnesses must have signed (--key alone asks for none)',
    },
    {
      flags: '--successions <file>',
      help: 'key successions you know of: what a superseded key signed later is refused',
    },
    { flags: '--replay', help: 'run the solver again and compare the bits' },
  ],
  settings: 'none',
  // A re-run keeps the process busy; a signal must end it all the same.
  ownSignals: true,
  examples: ['tickmesh verify heat.json --key 12D3KooW…', 'tickmesh verify *.json --key trusted.vkey --replay --json'],

  async run({ io, args, options }) {
    const { key, policy: rules, replay, successions: file } = options
    const trusted = typeof key === 'string' ? await readTrusted(key) : undefined
    const successions = typeof file === 'string' ? await readSuccessions(file) : []
    const policy = typeof rules === 'string' ? await readPolicyFile(rules) : undefined
    const judging = {
      ...{ replay: replay === true, successions },
      ...(trusted !== undefined && { trusted }),
      ...(policy !== undefined && { policy }),
    }
    const files: ReturnType<typeof shown>[] = []
    for (const file of args) {
      const found = await judgeFile(file, judging)
      files.push(shown(found, file))
      if (!io.json) io.out(printable(describe(found, file)))
    }
    const exit = worst(files.map(({ outcome }) => exitOf[outcome]))
    const decisive = files.find(({ outcome }) => exitOf[outcome] === exit)
    const { outcome, failing } = decisive ?? { outcome: 'verified', failing: null }
    if (io.json) io.out(jsonText({ ok: exit === exits.ok, outcome, failing, files }))
    return exit
  },
})
