import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { hmacSha256 } from '#crypto'
import { openMembers, type SealedMembers, sealMembers } from '#domain/machines/vault.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import type { Action, Definition } from '#numerics/contracts/definition/schema.ts'
import { keyOf, under } from '#store/layout.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ContractPorts } from './context.ts'

/** Secrets of one contract. */
export const SECRETS_MAX = 64

/** What a call says of secrets: values by name, null to forget one. */
export type SecretOrder = Readonly<Record<string, string | null>>

/** Where a secret stands in a text. */
export const secretPlace = /\{\{secret\.([A-Za-z][A-Za-z0-9_]{0,31})\}\}/gu
const ANY_PLACE = /\{\{\s*secret\b/u

const namesIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [...value.matchAll(secretPlace)].map(([, name]) => name ?? '')
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((it) => namesIn(it as Json))
}

interface Placed {
  readonly action: Action
  readonly path: string
}

const actionsOf = ({ states, transitions }: Definition): readonly Placed[] => {
  const placed = (list: readonly Action[], path: string) =>
    list.map((action, i): Placed => ({ action, path: `${path}/${i}` }))
  const ofStates = Object.entries(states).flatMap(([name, { entry, exit }]) => [
    ...placed(entry, `/states/${name}/entry`),
    ...placed(exit, `/states/${name}/exit`),
  ])
  return [...ofStates, ...transitions.flatMap(({ actions }, i) => placed(actions, `/transitions/${i}/actions`))]
}

/** The secrets that a definition names: in headers and bodies of notifications, and of the addresses it reads. */
export const secretsOf = (definition: Definition): readonly string[] => {
  const told = actionsOf(definition).flatMap(({ action }) => {
    if (action.kind !== 'notify') return []
    const { headers, body } = action as Extract<Action, { kind: 'notify'; url: string }>
    return namesIn({ headers, body })
  })
  const read = Object.values(definition.oracles).flatMap(({ from }) =>
    from.kind === 'url' && from.secret !== undefined ? [from.secret] : [],
  )
  return [...new Set([...told, ...read])].sort()
}

/** Secrets where none is ever filled in: what stands there would go out, or into the chain, as it is written. */
export const misplacedSecrets = (definition: Definition): readonly ContractFault[] =>
  actionsOf(definition).flatMap(({ action, path }) => {
    const { kind } = action
    const { headers: _, body: __, ...rest } = action as Readonly<Record<string, Json>>
    const looked = kind === 'notify' ? rest : action
    if (!ANY_PLACE.test(JSON.stringify(looked))) return []
    return [{ path, reason: 'secrets are filled in headers and bodies of notifications alone' }]
  })

const place = ({ slug, id }: Pick<ContractRow, 'slug' | 'id'>, id_hash: string, name: string) => ({
  id_hash,
  seq: 0,
  type: keyOf('contract secret', slug, id, name),
})

/** Names of the secrets of a contract. */
export const secretNames = async (store: Pick<Store, 'range'>, id: string): Promise<readonly string[]> => {
  const names: string[] = []
  for await (const [key] of store.range('contractSecret', { ...under(id), limit: SECRETS_MAX })) {
    names.push(key.slice(id.length + 1))
  }
  return names
}

/**
 * Keeps what a call says of secrets, each sealed under the data key of the machine.
 *
 * @throws Fault SECRET_UNKNOWN with the names that the definition needs and nobody gave.
 */
export const putSecrets = (
  tx: Transaction,
  { vault }: Pick<ContractPorts, 'vault'>,
  of: {
    readonly contract: Pick<ContractRow, 'slug' | 'id'>
    readonly machine: MachineRow
    readonly order: SecretOrder
    readonly needed: readonly string[]
  },
): void => {
  const { contract, machine, order, needed } = of
  const isThere = (name: string): boolean =>
    Object.hasOwn(order, name) ? order[name] !== null : tx.get('contractSecret', keyOf(contract.id, name)) !== undefined
  const names = needed.filter((name) => !isThere(name))
  if (names.length > 0) throw new Fault('SECRET_UNKNOWN', `Nobody gave ${names.join(', ')}.`, { names })
  let { kid } = machine
  for (const [name, value] of Object.entries(order)) {
    const key = keyOf(contract.id, name)
    if (value === null) {
      tx.del('contractSecret', key)
      continue
    }
    const to = place(contract, machine.id_hash, name)
    const made = sealMembers(tx, vault, { machine: { ...machine, kid }, place: to, members: { value } })
    kid = made.kid
    tx.put('contractSecret', key, JSON.stringify(made.sealed))
  }
  const now = tx.get('machine', machine.slug)
  if (now !== undefined && now.kid !== kid) tx.put('machine', machine.slug, { ...now, kid })
}

/** The value of a secret, for what goes outward; undefined where there is none, or its key was destroyed. */
export const openSecret = (
  { store, vault }: Pick<ContractPorts, 'store' | 'vault'>,
  contract: Pick<ContractRow, 'slug' | 'id'>,
  name: string,
): string | undefined => {
  const row = store.peek('contractSecret', keyOf(contract.id, name))
  const machine = store.peek('machine', contract.slug)
  if (row === undefined || machine === undefined) return undefined
  const sealed = JSON.parse(row) as SealedMembers
  const key = store.peek('machineDataKey', keyOf(contract.slug, sealed.kid))
  const members = openMembers(vault, key, { sealed, place: place(contract, machine.id_hash, name) })
  return (members as { readonly value: string } | undefined)?.value
}

/** What of secrets enters the digest of a call that may be repeated: nothing that they could be guessed from. */
export const veiled = (order: SecretOrder, key: Uint8Array): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(order).map(([name, value]) => [name, value === null ? null : toHex(hmacSha256(key, utf8(value)))]),
  )
