import { toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { parseJson } from '#core/json.ts'
import { publicKeyOfSeed, signValue, soundKeyOf, zidOf } from '#core/keys.ts'
import { fitting } from '#core/schema.ts'
import { meshTickAt } from '#core/tick.ts'
import { orderOf, signOp } from '#core/token/order.ts'
import { signTx, txOrderSchema } from '#core/tx.ts'
import { nodeClock } from '#node/clock.ts'
import { exits } from './exit.ts'
import { readBounded } from './files.ts'
import { CliError } from './problem.ts'

/** Bytes of an op with its list: what a node takes as a body. */
const ORDER_BYTES_MAX = 67_108_864

const nowTick = (): number => meshTickAt(nodeClock().now())

/** What anybody may know of a key. */
export const publicPart = (seed: Uint8Array): { readonly zid: string; readonly public_key: string } => {
  const publicKey = publicKeyOfSeed(seed)
  return { zid: zidOf(publicKey), public_key: toHex(publicKey) }
}

/** What `POST /api/auth/sign-up` takes for an account of this key. @throws Fault for what is no node id. */
export const signUpProof = (seed: Uint8Array, node: string) => {
  soundKeyOf(node)
  const public_key = toHex(publicKeyOfSeed(seed))
  const mesh_tick = nowTick()
  return { public_key, mesh_tick, signature: signValue(seed, purposes.signUp, { node, public_key, mesh_tick }) }
}

/** The op in a file or on stdin, completed and signed. @throws Fault, CliError, or the system's error. */
export const signedOrder = async (seed: Uint8Array, file: string, signal: AbortSignal) => {
  const bytes = await readBounded(file, ORDER_BYTES_MAX, signal)
  if (bytes === undefined) {
    throw new CliError(exits.failure, `${file} is larger than ${ORDER_BYTES_MAX} bytes`, { code: 'INPUT_TOO_LARGE' })
  }
  const { op, list } = orderOf(parseJson(bytes, ORDER_BYTES_MAX), nowTick())
  const { public_key, signature } = signOp(seed, op)
  return { op, list, public_key, signature }
}

/** A transaction, completed and signed. @throws Fault for what is none */
export const signedTx = (seed: Uint8Array, wanted: unknown, nonce: string) =>
  signTx(seed, { nonce, mesh_tick: nowTick(), ...fitting(txOrderSchema, wanted) })
