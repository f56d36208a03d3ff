import { randomBytes } from 'node:crypto'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { STDIN } from '#cli/files.ts'
import { present, table } from '#cli/io.ts'

const keyArg = (help: string) => ({ name: '<file>', help, choices: 'files' }) as const

/** What anybody may know of a key. */
const showKey = async ({ io }: Invocation, seed: Uint8Array): Promise<Exit> => {
  const { publicPart } = await import('#cli/zid-sign.ts')
  const shown = publicPart(seed)
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
    const { SEED_BYTES, writeSeed } = await import('#cli/zid-key.ts')
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
  async run(invocation) {
    const { readSeed } = await import('#cli/zid-key.ts')
    return showKey(invocation, readSeed(invocation.args[0]))
  },
})

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
    const { readSeed } = await import('#cli/zid-key.ts')
    const seed = readSeed(key)
    const { signedOrder, signUpProof } = await import('#cli/zid-sign.ts')
    const signed = typeof signUp === 'string' ? signUpProof(seed, signUp) : await signedOrder(seed, file, signal)
    present(io, { ok: true, ...signed }, () => JSON.stringify(signed))
    return exits.ok
  },
})

export const zid: readonly Command[] = [keygen, show, sign]
