import { type Advisory, advisoryText } from '#core/advisory.ts'
import type { Claim } from '#core/claim.ts'
import { namedStep } from '#core/step-titles.ts'
import { quantity } from './answer.ts'
import type { Invocation } from './command.ts'
import { type Conflict, conflictSearch } from './conflicts.ts'
import { exitOf, type FileVerification, readTrust, stepLines, verifyFile } from './evidence.ts'
import { evidenceFiles } from './evidence-source.ts'
import { type Exit, exits, worst } from './exit.ts'
import { jsonText, printable } from './io.ts'

/** What a bundle claims; a chain claims nothing but itself. */
const claimOf = (found: FileVerification): Claim | undefined =>
  'bundle' in found ? found.bundle?.envelope.claim : undefined

const supersededBy = (found: FileVerification): string | null =>
  'superseded' in found ? (found.superseded?.new_node ?? null) : null

const advisoriesOf = (found: FileVerification): readonly Advisory[] => ('advisories' in found ? found.advisories : [])

/** What a token's receipt says was done. */
const moveOf = (found: FileVerification): string | undefined => {
  const { op, receipt } = ('token' in found && found.token) || {}
  if (op === undefined || receipt === undefined) return undefined
  return `${op.op}, ${op.count} ${op.count === 1 ? 'token' : 'tokens'}, weight ${receipt.weight}`
}

/** What became of a batch, by what its node signed. */
const batchOf = (found: FileVerification): string | undefined => {
  if (!('batch' in found) || found.batch === undefined) return undefined
  const { calls, closing } = found.batch
  if (closing === undefined) return `a batch of ${calls.length}, still open`
  const { sealed, refused, failed } = closing.closing
  return `a batch of ${calls.length}: ${sealed} sealed, ${refused} refused, ${failed} failed`
}

const saidBy = (found: FileVerification): string => {
  const claim = claimOf(found)
  const said =
    claim === undefined
      ? (moveOf(found) ?? batchOf(found))
      : `${claim.kind}, value ${quantity(claim.value, claim.unit)}`
  return said === undefined ? '' : ` — ${said}`
}

const describe = (found: FileVerification, file: string): string => {
  const claim = claimOf(found)
  const superseded = supersededBy(found) === null ? '' : ': the key is superseded'
  const verdict = {
    verified: `verified${saidBy(found)}`,
    failed: `NOT verified — ${namedStep(found.failing ?? '')} failed${superseded}`,
    withdrawn: `WITHDRAWN — ${claim?.kind}, value ${quantity(claim?.value, claim?.unit)}, is known to be wrong`,
    unchecked: `could not check ${found.unchecked.map(namedStep).join(', ')}`,
  }
  const known = advisoriesOf(found).map((it) => `ADVISORY ${advisoryText(it)}`)
  return [...stepLines(found), ...known, `${file}: ${verdict[found.outcome]}`].join('\n')
}

const shown = (found: FileVerification, file: string) => ({
  file,
  outcome: found.outcome,
  failing: found.failing ?? null,
  unchecked: found.unchecked,
  steps: found.steps,
  claim: claimOf(found) ?? null,
  receipt: ('token' in found ? found.token?.receipt : undefined) ?? null,
  superseded_by: supersededBy(found),
  advisories: advisoriesOf(found),
  answers: 'answers' in found ? (found.answers ?? null) : null,
  cosigners: 'cosigners' in found ? (found.cosigners ?? null) : null,
})

/** The files of a folder; a folder without any is told for what it is. */
const evidenceIn = (word: string): readonly string[] => {
  const files = evidenceFiles(word)
  return files.length === 0 ? [word] : files
}

/** The outcome where no file decides: of none, or of files that only fail together. */
const undecided = ({ length }: readonly Conflict[]) =>
  length === 0 ? { outcome: 'verified', failing: null } : { outcome: 'failed', failing: 'evidence' }

const describeConflict = ({ files: [one, other], home, evidence: { token_id, spend_seq } }: Conflict): string =>
  `EVIDENCE ${one} and ${other}: ${home} signed that it applied both to token ${token_id} at spend_seq ${spend_seq}`

/**
 * Verifies files one by one and says what was found; the worst decides. Receipts that take one token twice are evidence
 * against its home, and wrong together, however each verifies. @throws CliError as `readTrust` does
 */
export const verifyFiles = async ({ io, args, options }: Invocation): Promise<Exit> => {
  const judging = { ...(await readTrust(options)), replay: options['replay'] === true }
  const files: ReturnType<typeof shown>[] = []
  const search = conflictSearch(judging.successions)
  const conflicts: Conflict[] = []
  for (const file of args.flatMap(evidenceIn)) {
    const found = await verifyFile(file, judging)
    files.push(shown(found, file))
    if (!io.json) io.out(printable(describe(found, file)))
    const conflict = 'token' in found ? search.add(file, found) : undefined
    if (conflict === undefined) continue
    conflicts.push(conflict)
    if (!io.json) io.out(printable(describeConflict(conflict)))
  }
  if (search.isPartial) io.complain('too many tokens: some receipts were not held against the others')
  const against = conflicts.map(() => exits.verificationFailed)
  const exit = worst([...files.map(({ outcome }) => exitOf[outcome]), ...against])
  const decisive = files.find(({ outcome }) => exitOf[outcome] === exit)
  const { outcome, failing } = decisive ?? undecided(conflicts)
  if (io.json) io.out(jsonText({ ok: exit === exits.ok, outcome, failing, files, evidence: conflicts }))
  return exit
}
