import { randomBytes } from 'node:crypto'
import { type Command, command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { exits } from '#cli/exit.ts'
import { STDIN } from '#cli/files.ts'
import { readJsonFile } from '#cli/input.ts'
import { present } from '#cli/io.ts'

/** Bytes of a nonce. */
const NONCE_BYTES = 16

const sign = command({
  path: 'machines tx sign',
  summary: 'Sign an event or a transition for a machine with a key that no node keeps; nothing is sent.',
  args: [
    { name: '<file>', help: 'the file of `zid keygen`', choices: 'files' },
    {
      name: '[tx]',
      help: 'JSON: machine (its id hash), event and data, or contract and to; - or nothing is stdin',
      choices: 'files',
    },
  ],
  settings: 'none',
  examples: [
    'tickmesh machines tx sign zid.key tx.json > signed.json',
    `echo '{"machine":"9f86…","event":"reading","data":{"p":1}}' | tickmesh machines tx sign zid.key`,
  ],
  async run({ io, args: [key, file = STDIN], signal }) {
    const { readSeed } = await import('#cli/zid-key.ts')
    const seed = readSeed(key)
    const { signedTx } = await import('#cli/zid-sign.ts')
    const wanted = await readJsonFile(file === STDIN ? STDIN : `@${file}`, signal)
    const tx = signedTx(seed, wanted, randomBytes(NONCE_BYTES).toString('hex'))
    present(io, { ok: true, ...tx }, () => JSON.stringify(tx))
    return exits.ok
  },
})

/** What a member signs with a key of their own, and what brings it. */
export const machineTx: readonly Command[] = [
  sign,
  endpointCommand({
    path: 'machines tx submit',
    endpoint: 'machines.tx-submit',
    words: ['slug'],
    args: [
      { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' },
      { name: '[signed]', help: 'what `machines tx sign` printed; - or nothing is stdin', choices: 'files' },
    ],
    prepare: async (input, { args: [slug, file], signal }) => {
      const isWhole = Object.hasOwn(input, 'signature')
      const read = isWhole ? {} : await readJsonFile(file === undefined || file === STDIN ? STDIN : `@${file}`, signal)
      const { ok: _, ...signed } = read as { readonly ok?: unknown }
      return { ...signed, ...input, slug }
    },
    text: ({ tx, signer, recorded, fire, outcome }) =>
      `${recorded.slug}:${recorded.seq}  ${tx}  by ${signer}${fire === null ? '' : `  ${outcome} ${fire}`}`,
    examples: ['tickmesh machines tx submit pump-7 signed.json'],
  }),
]
