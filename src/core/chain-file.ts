import Type from 'typebox'
import { fromHex, toHex } from './bytes.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { isHex64, isNodeId, isSlug, patterns } from './ids.ts'
import { assertSoundKey, nodeIdOf, publicKeyOf, soundKeyOf } from './keys.ts'
import { chainWalk, type Entry, entryHash, entryLeaf, type Head, headLeaf, machineIdHash } from './machine.ts'
import { compactRange, LEVELS_MAX, leafHash, verifyInclusion } from './merkle.ts'
import { ED25519_NOTE, NOTE_BYTES_MAX, parseVkey, type Verifier, verifierOf } from './note.ts'
import { anything, closed, count, fitting, hex64, slug, text, tick } from './schema.ts'
import { endOf, isEnd, type ProvenSuccession, standsBehind } from './succession.ts'

/** Name of the form, in the file itself. */
export const CHAIN_FILE_FORMAT = 'tickmesh-chain-v1'
/** Bytes of a chain file's JSON: some 100,000 entries. */
export const CHAIN_FILE_BYTES_MAX = 67_108_864

const TYPE_CHARS_MAX = 64

const entrySchema = closed({
  seq: count(),
  previous: hex64(),
  tick: tick(),
  type: text(TYPE_CHARS_MAX, { minLength: 1 }),
  body: anything(),
})

/** Where a machine stood, and that its node's log says so. */
export interface HeadProof {
  readonly head: Head
  readonly head_index: number
  readonly head_path: readonly string[]
  /** C2SP signed note. */
  readonly checkpoint: string
}

/** A machine's chain from its genesis to a sealed head: all that a stranger needs beside a trusted key. */
export interface ChainFile {
  readonly format: typeof CHAIN_FILE_FORMAT
  readonly slug: string
  readonly genesis_hash: string
  readonly entries: readonly Entry[]
  readonly proof: HeadProof
}

/** Form of a chain file: unknown members are refused, since nothing would bind them. */
export const chainFileSchema = closed({
  format: Type.Literal(CHAIN_FILE_FORMAT),
  slug: slug(),
  genesis_hash: hex64(),
  entries: Type.Array(entrySchema, { minItems: 1 }),
  proof: closed({
    head: closed({ id_hash: hex64(), seq: count(), hash: hex64(), size: count(), root: hex64() }),
    head_index: count(),
    head_path: Type.Array(hex64(), { maxItems: LEVELS_MAX }),
    checkpoint: text(NOTE_BYTES_MAX),
  }),
})

/** Whether a JSON value calls itself a chain file; whether it is one is for {@link verifyChainFile}. */
export const isChainFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { format?: unknown }).format === CHAIN_FILE_FORMAT

/** The steps of a verification, in the order in which they are taken. */
export const chainStepNames = ['form', 'key', 'identity', 'chain', 'head', 'checkpoint', 'inclusion'] as const
export type ChainStepName = (typeof chainStepNames)[number]

export interface ChainStep {
  readonly step: ChainStepName
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly detail: string
}

/** What a verification found, in the terms of that of a bundle. */
export interface ChainVerification {
  readonly outcome: 'verified' | 'failed' | 'unchecked'
  readonly failing?: ChainStepName
  readonly unchecked: readonly ChainStepName[]
  readonly steps: readonly ChainStep[]
  /** What was read; absent when the form does not hold. */
  readonly chain?: ChainFile
}

/** A trusted key cannot be used, or there is none: that accuses nobody. */
class Unable extends Error {}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}
const unable = (why: string): never => {
  throw new Unable(why)
}

const pinnedOf = (trusted: string): { readonly publicKey: Uint8Array; readonly name?: string } => {
  try {
    if (isHex64(trusted)) return { publicKey: fromHex(trusted) }
    if (isNodeId(trusted)) return { publicKey: publicKeyOf(trusted) }
    const { publicKey, name, type } = parseVkey(trusted)
    assertSoundKey(publicKey)
    if (type === ED25519_NOTE) return { publicKey, name }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return unable(`The trusted key cannot be used: ${error.message}`)
  }
  return unable('The trusted key is a witness key, not the key of a log.')
}

const logForm = new RegExp(patterns.logName)

/** Key of the log that a checkpoint names itself, nothing of it trusted. @throws Fault BAD_SIGNATURE */
export const claimedLog = (checkpoint: string): { readonly log: Verifier; readonly node: string } => {
  const origin = checkpoint.slice(0, Math.max(0, checkpoint.indexOf('\n')))
  const node = logForm.test(origin) ? origin.split('/').at(1) : undefined
  if (node === undefined) return refuse('The checkpoint names no log of a node.')
  return { log: verifierOf(origin, soundKeyOf(node)), node }
}

interface Trust {
  readonly trusted: string | undefined
  /** Key successions that are known, each verified. */
  readonly known: readonly ProvenSuccession[]
}

/** Refuses what an old key signed beyond its succession, or in a log that did not end by it. */
const assertCounts = ({ head_index, checkpoint }: HeadProof, known: readonly ProvenSuccession[]): void => {
  const { log, node } = claimedLog(checkpoint)
  const end = endOf(known, node)?.succession
  if (end === undefined || (log.name === end.origin && head_index < end.size)) return
  refuse(`The key is superseded by ${end.new_node}: only the first ${end.size} leaves of ${end.origin} count.`)
}

/** Of a log that ended, only the tree that both keys signed shows what was in it: an old key can sign any other. */
const assertEnd = (checkpoint: Checkpoint, node: string, known: readonly ProvenSuccession[]): void => {
  const end = endOf(known, node)
  if (end === undefined || isEnd(end, checkpoint)) return
  const { size, new_node } = end.succession
  if (checkpoint.size >= size)
    refuse(`This is not the tree of ${size} leaves with which the log ended for ${new_node}.`)
  unable(`The log ended with ${size} leaves, and a tree of ${checkpoint.size} is not shown to be part of it.`)
}

const checkKey = (checkpoint: string, { trusted, known }: Trust): string => {
  const { log, node } = claimedLog(checkpoint)
  if (trusted === undefined) return unable('No trusted key was given; the key that a proof names proves nothing.')
  const pinned = pinnedOf(trusted)
  const trustedNode = nodeIdOf(pinned.publicKey)
  if (trustedNode !== node && standsBehind(known, trustedNode, node)) {
    return `The checkpoint is of ${node}, whose successor ${trustedNode} is trusted.`
  }
  if (trustedNode !== node) return refuse(`The trusted key is that of ${trustedNode}, the checkpoint is of ${node}.`)
  if (pinned.name !== undefined && pinned.name !== log.name)
    return refuse(`The trusted log is ${pinned.name}, the checkpoint is of ${log.name}.`)
  return `The checkpoint is of the trusted node ${node}.`
}

/** Walks the chain and grows its tree on the way. */
const checkChain = ({ entries, genesis_hash }: ChainFile): { readonly said: string; readonly root: string } => {
  const [first] = entries
  const walk = chainWalk({ seq: 0, previous: genesis_hash, tick: first?.tick ?? 0 })
  const tree = compactRange()
  for (const entry of entries) {
    if (!walk.step(entry, entryHash(entry))) break
    tree.append(leafHash(entryLeaf(entry)))
  }
  const { broken } = walk.verdict()
  if (broken !== undefined) return refuse(`Entry ${broken.seq}, tick ${broken.tick}: ${broken.why}.`)
  return { said: `${entries.length} entries follow from each other.`, root: toHex(tree.root()) }
}

const checkHead = ({ entries, slug: name, genesis_hash, proof: { head } }: ChainFile, root: string): string => {
  const last = entries.at(-1) as Entry
  if (head.id_hash !== machineIdHash(name, genesis_hash)) return refuse('The head is of another machine.')
  if (head.seq !== last.seq || head.size !== entries.length) return refuse('The head counts other entries than these.')
  if (head.hash !== entryHash(last)) return refuse('The head names another last entry.')
  return head.root === root ? `The head is that of entry ${last.seq}.` : refuse('The head has another root.')
}

const checkInclusion = ({ proof }: ChainFile, checkpoint: Checkpoint): string => {
  const { head, head_index: index, head_path } = proof
  const leaf = { leafHash: leafHash(headLeaf(head)), index, size: checkpoint.size }
  const found = verifyInclusion({ ...leaf, path: head_path.map(fromHex), root: checkpoint.root })
  return found ? `The head is leaf ${index} of that log.` : refuse('The head is not under this checkpoint.')
}

/** The step `key` alone, for a proof that is no chain file: whether a checkpoint is of the log that is trusted. */
export const judgeLogKey = (checkpoint: string, trusted: string | undefined): ChainStep =>
  take('key', () => checkKey(checkpoint, { trusted, known: [] }))

interface Progress {
  root: string
  checkpoint: Checkpoint | undefined
}

const checks = (chain: ChainFile, trust: Trust): Readonly<Record<Exclude<ChainStepName, 'form'>, () => string>> => {
  const made: Progress = { root: '', checkpoint: undefined }
  return {
    key: () => {
      assertCounts(chain.proof, trust.known)
      return checkKey(chain.proof.checkpoint, trust)
    },
    identity: () =>
      isSlug(chain.slug)
        ? `${chain.slug}, id hash ${machineIdHash(chain.slug, chain.genesis_hash)}.`
        : refuse('No machine may have this slug.'),
    chain: () => {
      const { said, root } = checkChain(chain)
      made.root = root
      return said
    },
    head: () => checkHead(chain, made.root),
    checkpoint: () => {
      made.checkpoint = openCheckpoint(chain.proof.checkpoint, claimedLog(chain.proof.checkpoint).log).checkpoint
      return `The log signed the tree of ${made.checkpoint.size} leaves.`
    },
    inclusion: () => {
      if (made.checkpoint === undefined) return refuse('There is no checkpoint.')
      const said = checkInclusion(chain, made.checkpoint)
      assertEnd(made.checkpoint, claimedLog(chain.proof.checkpoint).node, trust.known)
      return said
    },
  }
}

const take = (step: ChainStepName, run: () => string): ChainStep => {
  try {
    return { step, state: 'ok', detail: run() }
  } catch (error) {
    if (error instanceof Fault) return { step, state: 'failed', detail: error.message }
    if (error instanceof Unable) return { step, state: 'skipped', detail: error.message }
    throw error
  }
}

/**
 * Verifies a machine's chain offline, step by step, and stops at the first that does not hold. Never throws on a bad
 * file or key.
 *
 * @param trusted a log's vkey, a raw public key in hex, or a node id, from outside the file.
 * @param known key successions, verified by `successionsOf`: what an old key signed beyond one does not count.
 */
export const verifyChainFile = (
  file: unknown,
  trusted?: string,
  known: readonly ProvenSuccession[] = [],
): ChainVerification => {
  const form = take('form', () => {
    fitting(chainFileSchema, file)
    return 'A chain, version 1.'
  })
  const rest = chainStepNames.slice(1)
  const after = (from: number): ChainStep[] =>
    rest.slice(from).map((step) => ({ step, state: 'skipped', detail: 'An earlier step failed.' }))
  if (form.state === 'failed') return { outcome: 'failed', failing: 'form', unchecked: [], steps: [form, ...after(0)] }
  const chain = file as ChainFile
  const run = checks(chain, { trusted, known })
  const steps: ChainStep[] = [form]
  const unchecked: ChainStepName[] = []
  for (const [i, name] of rest.entries()) {
    const step = take(name, run[name as Exclude<ChainStepName, 'form'>])
    steps.push(step)
    if (step.state === 'skipped') unchecked.push(name)
    if (step.state === 'failed')
      return { outcome: 'failed', failing: name, unchecked, steps: [...steps, ...after(i + 1)], chain }
  }
  return { outcome: unchecked.length === 0 ? 'verified' : 'unchecked', unchecked, steps, chain }
}
