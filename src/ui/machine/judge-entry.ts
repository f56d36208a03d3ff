import { fromHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { type Checkpoint, openCheckpoint } from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { isHex64 } from '#core/ids.ts'
import { nodeIdOf, soundKeyOf } from '#core/keys.ts'
import { type Entry, type EntryProof, entryHash, entryLeaf, headLeaf, machineIdHash } from '#core/machine.ts'
import { LEVELS_MAX, leafHash, verifyInclusion } from '#core/merkle.ts'
import { parseVkey, verifierOf } from '#core/note.ts'
import { isEnd, standsBehind } from '#core/succession.ts'
import type { Judged, JudgedStep } from '#ui/part/verdict.tsx'
import { provenPast } from '#ui/receipt/past.ts'

/** What is known of an entry before the node is asked for its proof. */
export interface ShownEntry {
  readonly slug: string
  /** Genesis hash of the machine. */
  readonly genesis: string
  readonly seq: number
  /** The entry's hash. */
  readonly hash: string
  /** Log key of the node, from outside the proof. */
  readonly trusted: string
  /** Key successions as the node lists them. */
  readonly past: unknown
}

interface Context {
  readonly shown: ShownEntry
  readonly entry: Entry
  readonly proof: EntryProof
  checkpoint?: Checkpoint
}

/** A step that does not hold, and why. */
class Broken extends Error {}
const broken = (why: string): never => {
  throw new Broken(why)
}

type Members = Readonly<Record<string, unknown>>
const isObject = (it: unknown): it is Members => typeof it === 'object' && it !== null
const isPlace = (it: unknown): it is number => Number.isSafeInteger(it) && (it as number) >= 0
const isPath = (it: unknown): boolean => Array.isArray(it) && it.length <= LEVELS_MAX && it.every(isHex)
const isHex = (it: unknown): boolean => typeof it === 'string' && isHex64(it)

const isEntry = (it: unknown): it is Entry =>
  isObject(it) &&
  isPlace(it['seq']) &&
  isPlace(it['tick']) &&
  isHex(it['previous']) &&
  typeof it['type'] === 'string' &&
  'body' in it

const isHead = (it: unknown): boolean =>
  isObject(it) &&
  ['id_hash', 'hash', 'root'].every((name) => isHex(it[name])) &&
  isPlace(it['seq']) &&
  isPlace(it['size'])

const isProof = (it: unknown): it is EntryProof =>
  isObject(it) &&
  isHead(it['head']) &&
  isPath(it['path']) &&
  isPlace(it['head_index']) &&
  isPath(it['head_path']) &&
  typeof it['checkpoint'] === 'string'

/**
 * Opens a note of the trusted log; or of one before it, whose key vouched for the present one when it ended: then only
 * the tree with which it ended counts.
 *
 * @throws Fault BAD_SIGNATURE, Broken
 */
const openSigned = (note: string, { trusted, past }: ShownEntry): { checkpoint: Checkpoint; by: string } => {
  const log = parseVkey(trusted)
  const origin = note.slice(0, Math.max(0, note.indexOf('\n')))
  if (origin === log.name) return { checkpoint: openCheckpoint(note, log).checkpoint, by: 'signed' }
  const known = provenPast(past)
  const end = known.find(({ succession }) => succession.origin === origin)
  const old = end?.succession.old_node
  if (end === undefined || old === undefined || !standsBehind(known, nodeIdOf(log.publicKey), old)) {
    return broken('The note is of a log that the trusted key does not stand behind.')
  }
  const { checkpoint } = openCheckpoint(note, verifierOf(origin, soundKeyOf(old)))
  if (!isEnd(end, checkpoint)) return broken('This is not the tree with which that log ended.')
  return { checkpoint, by: `before the present key, ${origin}, ended with` }
}

const checks: readonly (readonly [string, (context: Context) => string])[] = [
  [
    'entry',
    ({ shown, entry }) => {
      const hash = entryHash(entry)
      if (entry.seq !== shown.seq || hash !== shown.hash) return broken('The entry is not the one that is shown.')
      return `Entry ${entry.seq} has the hash ${hash}.`
    },
  ],
  [
    'machine',
    ({ shown, proof }) =>
      proof.head.id_hash === machineIdHash(shown.slug, shown.genesis)
        ? `The head is of ${shown.slug}: its id hash follows from slug and genesis.`
        : broken('The head is of another machine.'),
  ],
  [
    'chain',
    ({ entry, proof: { head, path } }) => {
      if (head.seq !== head.size - 1) return broken('The head counts wrongly.')
      if (head.seq === entry.seq && head.hash !== entryHash(entry)) return broken('The head names another last entry.')
      const leaf = { leafHash: leafHash(entryLeaf(entry)), index: entry.seq, size: head.size }
      const found = verifyInclusion({ ...leaf, path: path.map(fromHex), root: fromHex(head.root) })
      return found
        ? `It is leaf ${entry.seq} of the ${head.size} under the head.`
        : broken('The entry is not under the head.')
    },
  ],
  [
    'checkpoint',
    (context) => {
      const { checkpoint, by } = openSigned(context.proof.checkpoint, context.shown)
      context.checkpoint = checkpoint
      return `The log ${by} the tree of ${checkpoint.size} leaves.`
    },
  ],
  [
    'head',
    ({ proof: { head, head_index: index, head_path: path }, checkpoint }) => {
      if (checkpoint === undefined) return broken('There is no checkpoint.')
      const leaf = { leafHash: leafHash(headLeaf(head)), index, size: checkpoint.size }
      const found = verifyInclusion({ ...leaf, path: path.map(fromHex), root: checkpoint.root })
      return found ? `The head is leaf ${index} of that tree.` : broken('The head is not under the checkpoint.')
    },
  ],
]

const failed = (done: readonly JudgedStep[], step: string, detail: string): Judged => ({
  outcome: 'failed',
  failing: step,
  steps: [
    ...done,
    { step, state: 'failed', detail },
    ...checks
      .slice(done.length)
      .flatMap(([name]): JudgedStep[] =>
        name === step ? [] : [{ step: name, state: 'skipped', detail: 'Not looked at.' }],
      ),
  ],
})

/**
 * Judges what a node answers for an entry: the entry itself, its place under the machine's head, the signature on the
 * checkpoint, and the head's place under that. The first step that does not hold is named. Throws nothing.
 *
 * @param answer whatever came; its proof must not be null any more.
 */
export const judgeEntry = (shown: ShownEntry, answer: unknown): Judged => {
  const { entry, proof } = isObject(answer) ? answer : {}
  if (!isEntry(entry) || !isProof(proof)) return failed([], 'form', 'The answer does not have the form of a proof.')
  const { seq, previous, tick, type, body } = entry
  const context: Context = { shown, proof, entry: { seq, previous, tick, type, body: body as Json } }
  const done: JudgedStep[] = [{ step: 'form', state: 'ok', detail: 'Entry and proof can be read.' }]
  for (const [step, check] of checks) {
    try {
      done.push({ step, state: 'ok', detail: check(context) })
    } catch (error) {
      if (error instanceof Broken || error instanceof Fault) return failed(done, step, error.message)
      throw error
    }
  }
  return { outcome: 'verified', steps: done }
}
