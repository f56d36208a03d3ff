import Type from 'typebox'
import { toHex } from './bytes.ts'
import { type LogTrust, type LogVerification, logChecks, refuse, takeSteps } from './log-trust.ts'
import { chainWalk, type Entry, type EntryProof, entryHash, entryLeaf, headFault, machineIdHash } from './machine.ts'
import { entrySchema, inLogMembers } from './machine-proof.ts'
import { compactRange, leafHash } from './merkle.ts'
import { closed, fitting, hex64, slug } from './schema.ts'
import { isSlug } from './slug.ts'
import { type ProvenSuccession, provenSuccessionSchema, SUCCESSIONS_MAX, verifySuccession } from './succession.ts'
import { txEntryFault } from './tx.ts'

/** Name of the form, in the file itself. */
export const CHAIN_FILE_FORMAT = 'tickmesh-chain-v1'
/** Bytes of a chain file's JSON: some 100,000 entries. */
export const CHAIN_FILE_BYTES_MAX = 67_108_864

/** Where a machine stood, and that its node's log says so. */
type HeadProof = Omit<EntryProof, 'path'>

/** A machine's chain from its genesis to a sealed head: all that a stranger needs beside a trusted key. */
export interface ChainFile {
  readonly format: typeof CHAIN_FILE_FORMAT
  readonly slug: string
  readonly genesis_hash: string
  readonly entries: readonly Entry[]
  readonly proof: HeadProof
  /** The keys that the node's present one took the place of, where there are any: who trusts it needs them. */
  readonly successions?: readonly ProvenSuccession[]
}

/** What a node gives of a machine for its chain file. */
export interface ChainParts extends Pick<ChainFile, 'slug' | 'genesis_hash' | 'entries'> {
  /** Of the last entry; its path to the machine's head is left out, since the whole tree is there. */
  readonly proof: HeadProof
  /** Key successions as the node lists them. */
  readonly past: readonly ProvenSuccession[]
}

/** A chain file; it carries the successions where the proof is under an earlier key of the node. */
export const chainFileOf = ({ slug: name, genesis_hash, entries, proof, past }: ChainParts): ChainFile => {
  const { head, head_index, head_path, checkpoint } = proof
  const isPast = past.some(({ succession }) => checkpoint.startsWith(`${succession.origin}\n`))
  return {
    format: CHAIN_FILE_FORMAT,
    ...{ slug: name, genesis_hash, entries },
    proof: { head, head_index, head_path, checkpoint },
    ...(isPast && { successions: past }),
  }
}

/** Form of a chain file: unknown members are refused, since nothing would bind them. */
export const chainFileSchema = closed({
  format: Type.Literal(CHAIN_FILE_FORMAT),
  slug: slug(),
  genesis_hash: hex64(),
  entries: Type.Array(entrySchema, { minItems: 1 }),
  proof: closed(inLogMembers),
  successions: Type.Optional(Type.Array(provenSuccessionSchema, { minItems: 1, maxItems: SUCCESSIONS_MAX })),
})

/** Whether a JSON value calls itself a chain file; whether it is one is for {@link verifyChainFile}. */
export const isChainFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { format?: unknown }).format === CHAIN_FILE_FORMAT

/** The steps of a verification, in the order in which they are taken; the last one only where there is a policy. */
export type ChainStepName = 'form' | 'key' | 'identity' | 'chain' | 'head' | 'checkpoint' | 'inclusion' | 'quorum'

/** What a verification found, in the terms of that of a bundle. */
export interface ChainVerification extends LogVerification<ChainStepName> {
  /** What was read; absent when the form does not hold. */
  readonly chain?: ChainFile
}

/** Walks the chain, grows its tree on the way, and checks the signatures of the transactions that stand in it. */
const checkChain = (chain: ChainFile): { readonly said: string; readonly root: string } => {
  const { entries, genesis_hash } = chain
  const machine = machineIdHash(chain.slug, genesis_hash)
  const [first] = entries
  const walk = chainWalk({ seq: 0, previous: genesis_hash, tick: first?.tick ?? 0 })
  const tree = compactRange()
  for (const entry of entries) {
    if (!walk.step(entry, entryHash(entry))) break
    const unsigned = txEntryFault(machine, entry)
    if (unsigned !== undefined) return refuse(`Entry ${entry.seq}, tick ${entry.tick}: ${unsigned}.`)
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

const checkIdentity = ({ slug: name, genesis_hash }: ChainFile): string =>
  isSlug(name) ? `${name}, id hash ${machineIdHash(name, genesis_hash)}.` : refuse('No machine may have this slug.')

/** What a verifier trusts, with the successions of the file: each proves itself, and only its new key speaks for it. */
const trustOf = (chain: ChainFile, trust: LogTrust): (() => LogTrust) => {
  let joined: LogTrust | undefined
  return () => {
    const carried = (): readonly ProvenSuccession[] => (chain.successions ?? []).map(verifySuccession)
    joined ??= { ...trust, successions: [...(trust.successions ?? []), ...carried()] }
    return joined
  }
}

type Check = readonly [ChainStepName, () => string]

const checksOf = (chain: ChainFile, trust: LogTrust): readonly Check[] => {
  const { key, checkpoint, found, quorum } = logChecks(() => chain.proof, trustOf(chain, trust), trust.policy)
  let grown = ''
  const walk = (): string => {
    const { said, root } = checkChain(chain)
    grown = root
    return said
  }
  return [
    ['key', key],
    ['identity', () => checkIdentity(chain)],
    ['chain', walk],
    ['head', () => checkHead(chain, grown)],
    ['checkpoint', checkpoint],
    ['inclusion', () => found((tree) => headFault(chain.proof, tree))],
    ...(quorum === undefined ? [] : [['quorum', quorum] as const]),
  ]
}

/**
 * Verifies a machine's chain offline, step by step, and stops at the first that does not hold. Never throws on a bad
 * file or key.
 */
export const verifyChainFile = (file: unknown, trust: LogTrust = {}): ChainVerification => {
  const form = (): string => {
    fitting(chainFileSchema, file)
    return 'A chain, version 1.'
  }
  const chain = file as ChainFile // No step behind the form is taken unless it holds.
  const found = takeSteps([['form', form], ...checksOf(chain, trust)])
  return found.failing === 'form' ? found : { ...found, chain }
}
