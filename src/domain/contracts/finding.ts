import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Reader, Standing } from '#domain/credentials/standing.ts'
import { admitted, personOf } from '#domain/machines/roles.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'

/** Which contract, and who asks. */
export interface ContractRequest {
  readonly caller: Caller
  readonly slug: string
  readonly id: string
}

/** How far one must reach, and whether in person: then a machine's key will not do, whatever it may. */
export interface Need {
  readonly role: Standing
  readonly inPerson: boolean
}

/** What each call needs. */
export const needs = {
  read: { role: 'viewer', inPerson: false },
  run: { role: 'operator', inPerson: false },
  author: { role: 'admin', inPerson: true },
  own: { role: 'owner', inPerson: true },
} as const satisfies Readonly<Record<string, Need>>

/** A machine that a caller reaches far enough in. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
export const machineFor = (
  reader: Reader,
  { caller, slug }: { readonly caller: Caller; readonly slug: string },
  { role, inPerson }: Need,
): { readonly machine: MachineRow; readonly standing: Standing } => {
  const found = admitted(reader, { caller, slug, needed: role })
  if (inPerson) personOf(caller)
  return found
}

/** @throws Fault NOT_FOUND for one that is not there, or is another machine's. */
export const contractOn = (reader: Reader, slug: string, id: string): ContractRow => {
  const row = reader.get('contract', id)
  if (row?.slug !== slug) throw new Fault('NOT_FOUND', 'The machine has no such contract.')
  return row
}

/** The contract that is asked for, and its machine. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
export const findContract = (
  reader: Reader,
  { caller, slug, id }: ContractRequest,
  need: Need,
): { readonly machine: MachineRow; readonly row: ContractRow } => {
  const { machine } = machineFor(reader, { caller, slug }, need)
  return { machine, row: contractOn(reader, slug, id) }
}

/** @throws Fault CONTRACT_FROZEN */
export const assertNotFrozen = ({ status, id }: ContractRow): void => {
  if (status === 'frozen') throw new Fault('CONTRACT_FROZEN', undefined, { contract: id })
}
