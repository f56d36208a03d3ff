import { randomBytes } from 'node:crypto'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { readBounded, STDIN } from '#cli/files.ts'
import { present, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { readSeed, SEED_BYTES, writeSeed } from '#cli/zid-key.ts'
import { toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { parseJson } from '#core/json.ts'
import { publicKeyOfSeed, signValue, soundKeyOf, zidOf } from '#core/keys.ts'
import { meshTickAt } from '#core/tick.ts'
import { orderOf, signOp } from '#core/token/order.ts'
import { nodeClock } from '#node/clock.ts'

/** Bytes of an op with its list: what a node takes as a body. */
const ORDER_BYTES_MAX = 67_108_864

const nowTick = (): number => meshTickAt(nodeClock().now())

const keyArg = (help: string) => ({ name: '<file>', help, choices: 'files' }) as const

/** What anybody may know of a key. */
const showKey = ({ io }: Invocation, seed: Uint8Array): Exit => {
  const publicKey = publicKeyOfSeed(seed)
  const shown = { zid: zidOf(publicKey), public_key: toHex(publicKey) }
  const rows = [
    ['zid', shown.zid],
    ['public key', shown.public_key],
  ]
  present(io, { ok: true, ...shown }, () => table(rows))
  return exits.ok
}

const keygen = command({
  path: 'zid keygen',
  summary: 'Make the key of a ZID that no node keeps, in a new file that only you can read.',
  args: [keyArg('the new file; one that is there is never written over')],
  settings: 'none',
  examples: ['tickmesh zid keygen zid.key'],
  async run(invocation) {
    const [file = ''] = invocation.args
    const seed = new Uint8Array(randomBytes(SEED_BYTES))
    writeSeed(file, seed)
    invocation.io.say(`${file} is the only copy of the key: what it owns is gone when the file is`)
    return showKey(invocation, seed)
  },
})

const show = command({
  path: 'zid show',
  summary: 'Print the ZID and the public key of a key file; never the key.',
  args: [keyArg('the file of `zid keygen`')],
  settings: 'none',
  examples: ['tickmesh zid show zid.key'],
  run: async (invocation) => showKey(invocation, readSeed(invocation.args[0])),
})

/** What `POST /api/auth/sign-up` takes for an account of this key. @throws Fault for what is no node id. */
const signUpProof = (seed: Uint8Array, node: string) => {
  soundKeyOf(node)
  const public_key = toHex(publicKeyOfSeed(seed))
  const mesh_tick = nowTick()
  return { public_key, mesh_tick, signature: signValue(seed, purposes.signUp, { node, public_key, mesh_tick }) }
}

/** The op in a file or on stdin, completed and signed. @throws Fault, CliError, or the system's error. */
const signedOrder = async (seed: Uint8Array, file: string, signal: AbortSignal) => {
  const bytes = await readBounded(file, ORDER_BYTES_MAX, signal)
  if (bytes === undefined) {
    throw new CliError(exits.failure, `${file} is larger than ${ORDER_BYTES_MAX} bytes`, { code: 'INPUT_TOO_LARGE' })
  }
  const { op, list } = orderOf(parseJson(bytes, ORDER_BYTES_MAX), nowTick())
  const { public_key, signature } = signOp(seed, op)
  return { op, list, public_key, signature }
}

const sign = command({
  path: 'zid sign',
  summary: 'Sign an op on tokens, or a sign-up, with a key that no node keeps; nothing is sent.',
  args: [
    keyArg('the file of `zid keygen`, or one with the key of a bearer package'),
    {
      name: '[op]',
      help: 'JSON: home, op, list of {token_id, spend_seq}, and to or ref; until, valid_to where you want others',
      choices: 'files',
    },
  ],
  options: [{ flags: '--sign-up <node>', help: 'sign what POST /api/auth/sign-up of this node id takes instead' }],
  settings: 'none',
  examples: ['tickmesh zid sign zid.key op.json > signed.json', 'tickmesh zid sign zid.key --sign-up 12D3KooW…'],
  async run({ io, args: [key, file = STDIN], options: { signUp }, signal }) {
    const seed = readSeed(key)
    const signed = typeof signUp === 'string' ? signUpProof(seed, signUp) : await signedOrder(seed, file, signal)
    present(io, { ok: true, ...signed }, () => JSON.stringify(signed))
    return exits.ok
  },
})

export const zid: readonly Command[] = [keygen, show, sign]
