import { fromBase64, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { headDigest } from '#core/machine.ts'
import { hmacSha256 } from '#crypto'
import { reaches } from '#domain/credentials/standing.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { headOf } from './chain.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { assertActive, say, sayAsNode } from './record.ts'
import { admitted } from './roles.ts'

const PSEUDONYM_DIGITS = 32

/** Under which name a machine anchors in a mother: stable there, and not to be joined with any other mother's. */
const pseudonymOf = ({ vault }: MachineContext, { anchor }: MachineRow, mother: MachineRow): string => {
  const { sealed_key, key_id } = anchor
  const key = vault.open(fromBase64(sealed_key), utf8(`tickmesh machine anchor key ${key_id}`))
  return toHex(hmacSha256(key, utf8(mother.id_hash))).slice(0, PSEUDONYM_DIGITS)
}

/** The mother, if she takes anchors of this caller. */
const taking = (tx: Transaction, { caller, slug }: MachineRequest) => {
  const found = admitted(tx, { slug, caller, needed: 'none' })
  const { accepts } = found.machine.anchor
  const open = accepts === 'anyone' || (accepts === 'members' && reaches(found.standing, 'operator'))
  if (!open) throw new Fault('SCOPE_REQUIRED', 'This machine takes no anchors of yours.', { role: 'operator' })
  assertActive(found.machine)
  return found
}

/** Each anchor would move the head that it states, for ever. */
export const ownMother = (): Fault => new Fault('INVALID_INPUT', 'A machine is not its own mother.', { errors: [] })

/** Who anchors what where. */
export interface AnchorOrder {
  readonly caller: Caller
  /** Slugs. */
  readonly child: string
  readonly mother: string
  /** The node does it by itself, on behalf of the caller. */
  readonly ofNode: boolean
}

/**
 * Puts a machine's head into its mother's chain, in a transaction.
 *
 * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED; nothing is written then.
 */
export const anchorIn = (context: MachineContext, tx: Transaction, order: AnchorOrder): MachineEntryRow => {
  const { caller, child, mother: slug, ofNode } = order
  if (child === slug) throw ownMother()
  const { machine } = admitted(tx, { slug: child, caller, needed: 'operator' })
  const { machine: mother, standing } = taking(tx, { caller, slug })
  const row = tx.get('machineHead', child)
  if (row === undefined) throw new Error('a machine has a head')
  const pseudonym = pseudonymOf(context, machine, mother)
  const head = headDigest(headOf(machine, row))
  const saying = { type: 'anchor', open: { pseudonym, head } }
  const said = ofNode
    ? sayAsNode(context, tx, mother, saying)
    : say(context, tx, mother, { ...saying, unnamed: true, caller, standing })
  const { seq, tick } = said.entry
  tx.put('machineAnchor', keyOf(slug, seqKey(seq)), { pseudonym, tick, head })
  return said
}
