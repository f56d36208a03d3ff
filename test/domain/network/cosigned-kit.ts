import { utf8 } from '#core/bytes.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { cosignatureLine, encodeVkey, parseNote, type Verifier } from '#core/note.ts'
import { type Policy, parsePolicy } from '#core/policy.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { keepCosignature } from '#domain/network/witness/cosignatures.ts'
import type { Random } from '../../kit/random.ts'
import type { Keeper } from './keeper.ts'

/** A witness that signs whatever second it is told to. */
export interface ToyWitness {
  readonly verifier: Verifier
  readonly vkey: string
  line(text: string, seconds: number): string
}

export const toyWitness = (random: Random, node = nodeIdOf(publicKeyOfSeed(random.bytes(32)))): ToyWitness => {
  const seed = random.bytes(32)
  const verifier = witnessVerifier(node, publicKeyOfSeed(seed))
  return {
    verifier,
    vkey: encodeVkey(verifier),
    line: (text, seconds) => cosignatureLine(text, verifier, seed, seconds),
  }
}

/** A policy of these witnesses that asks for no quorum. */
export const policyOf = (...witnesses: readonly ToyWitness[]): Policy =>
  parsePolicy(utf8(`${witnesses.map((it, i) => `witness w${i} ${it.vkey}\n`).join('')}quorum none\n`))

/** The witness signs the newest checkpoint of a keeper's event log, as if it had been pushed to it. */
export const cosign = async ({ store }: Pick<Keeper, 'store'>, by: ToyWitness, seconds: number): Promise<number> => {
  const { note = '', size = 0 } = store.events.checkpoint ?? {}
  const line = by.line(parseNote(note).text, seconds)
  const gained = { size, vkey: by.vkey, line, seconds }
  await store.commit((tx) => keepCosignature(tx, store.events.name, gained, { policy: undefined, policyName: 'open' }))
  return size
}

/** Lets a keeper take what witnesses said of its own log into its lists. */
export const takeOwn = async ({ network, store }: Pick<Keeper, 'network' | 'store'>): Promise<void> => {
  for (let beat = 0; beat < 4; beat++) network.cosigned?.due([])
  // What was begun by those beats is in the writer's queue already, before this.
  for (let turn = 0; turn < 4; turn++) await store.commit(() => undefined)
}

/** Alters an answer on its way. */
export type TamperAnswer = (answer: Uint8Array) => Uint8Array | undefined

/** One asks another about cosignatures until it has nothing more to ask. @returns questions asked. */
export const askCosigned = async (
  asker: Pick<Keeper, 'network'>,
  teller: Pick<Keeper, 'network' | 'node'>,
  tamper: TamperAnswer = (it) => it,
): Promise<number> => {
  let asked = 0
  for (let beat = 0; beat < 12; beat++) {
    for (const { node, question } of asker.network.cosigned?.due([teller.node]) ?? []) {
      asked += 1
      const answer = teller.network.cosigned?.answer(question)
      await asker.network.cosigned?.take(node, answer && tamper(answer))
    }
  }
  return asked
}
