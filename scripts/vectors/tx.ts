import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { signTx, type TxOrder, txDataDigest, txDigest, txEntryFault, txProofOf } from '#core/tx.ts'
import { machineVectors } from './machine.ts'
import { user } from './sample.ts'

const contract = '00112233445566778899aabbccddeeff'

const orders = (machine: string): Readonly<Record<string, TxOrder>> => ({
  'an event of the machine': {
    ...{ machine, event: 'reading', data: { pressure_Pa: 101_325 } },
    ...{ nonce: '000102030405060708090a0b0c0d0e0f', mesh_tick: 2_310_000_000 },
  },
  'an event of one contract': {
    ...{ machine, contract, event: 'level', data: { v: 2, name: 'é' } },
    ...{ nonce: '101112131415161718191a1b1c1d1e1f', mesh_tick: 2_310_000_001 },
  },
  'a state that a contract is to go to': {
    ...{ machine, contract, to: 'open', nonce: '202122232425262728292a2b2c2d2e2f', mesh_tick: 2_310_000_002 },
  },
})

/** One transaction: as it is sent, what is signed of it, and what an entry keeps. */
const taken = (about: string, order: TxOrder) => {
  const tx = signTx(user.seed, order)
  const data = txDataDigest(tx)
  const { contract: of = null, event = null, to = null, machine, nonce, mesh_tick, public_key } = tx
  const signed = canonical({ machine, contract: of, event, to, data, nonce, mesh_tick, public_key })
  const body: Json = { event, data_digest: data, source: 'operator', tx: { ...txProofOf(tx) } }
  return { about, tx, signed, digest: txDigest(tx), body }
}

/** Transactions that a member signed, with the entries that prove them, and entries that prove nothing. */
export const txVectors = (): object => {
  const { id_hash } = machineVectors()
  const all = Object.entries(orders(id_hash)).map(([about, order]) => taken(about, order))
  const [{ body }] = all as [(typeof all)[number]]
  const whole = body as { readonly tx: Readonly<Record<string, Json>> } & Readonly<Record<string, Json>>
  const refused = [
    ['another event', { ...whole, event: 'readings' }],
    ['other data', { ...whole, data_digest: '0'.repeat(64) }],
    ['data that are not those of the digest', { ...whole, data: { pressure_Pa: 1 } }],
    ['another nonce', { ...whole, tx: { ...whole.tx, nonce: 'f'.repeat(32) } }],
    ['another digest', { ...whole, tx: { ...whole.tx, digest: '0'.repeat(64) } }],
    ['no signature of this key', { ...whole, tx: { ...whole.tx, signature: '0'.repeat(128) } }],
    ['a member more', { ...whole, tx: { ...whole.tx, more: 1 } }],
  ] as const
  return {
    about: 'Transactions that members sign (wire/machine.md): `signed` is the JCS behind `tickmesh/tx/1` and 0x0A.',
    machine: id_hash,
    seed: toHex(user.seed),
    signer: user.zid,
    taken: all,
    refused: refused.map(([about, it]) => ({ about, body: it, why: txEntryFault(id_hash, { body: it }) ?? null })),
  }
}
