import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, hex64, model, orNull, zid } from '#core/schema.ts'
import { txMembers } from '#core/tx.ts'
import { recorded } from '#domain/machines/views.ts'
import { slug, writing } from './schemas.ts'

const submitted = model('TxSubmitted', {
  tx: hex64({ description: 'Name of the transaction: its digest.' }),
  signer: zid({ description: 'ZID of the key that signed it.' }),
  recorded,
  fire: orNull(hex64(), { description: 'The fire of the contract that it asked; null for an event of the machine.' }),
  outcome: orNull(Type.String(), { description: 'What came of the fire.' }),
})

const submit = endpoint({
  id: 'machines.tx-submit',
  route: 'POST /api/chain/{slug}/tx/submit',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'signer' } },
  summary: 'Takes an event or a transition that a member signed with a key of their own, once, whoever brings it.',
  input: closed({ slug: slug(), ...txMembers }),
  result: answered(submitted),
  status: 201,
  faults: [
    ...writing,
    'INVALID_INPUT',
    'BAD_PUBLIC_KEY',
    'BAD_SIGNATURE',
    'TX_REPLAYED',
    'CONTRACT_FROZEN',
    'CONTRACT_FIRING',
    'NO_TRANSITION',
    'GUARD_FALSE',
    'BUDGET_SPENT',
    'INSUFFICIENT_BALANCE',
    'NODE_STOPPING',
  ],
  example: {
    slug: 'pump-7',
    machine: '0'.repeat(64),
    event: 'reading',
    data: { pressure_Pa: 101_325 },
    nonce: '0'.repeat(32),
    mesh_tick: 2_296_000_000,
    public_key: '0'.repeat(64),
    signature: '0'.repeat(128),
  },
  async handle({ machines, contracts }, { input: { slug: name, ...tx }, caller, signal }) {
    const { contract } = tx
    if (contract !== undefined) return contracts.submit({ caller, slug: name }, { ...tx, contract }, signal)
    return { ...(await machines.submit({ caller, slug: name }, tx)), fire: null, outcome: null }
  },
})

export const submittedEndpoints = [submit] as const
