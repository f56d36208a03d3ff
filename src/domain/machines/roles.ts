import { Fault } from '#core/fault.ts'
import type { Caller } from '#domain/identity/caller.ts'
import { keyOf, type Row, type TableName } from '#store/layout.ts'
import type { KeyScope, MachineRole, MachineRow } from '#store/rows/machine.ts'

/** What one may be to a machine, from the least. */
export const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
export type Standing = (typeof ranks)[number]

const rank = (standing: Standing): number => ranks.indexOf(standing)

/** Whether a standing reaches as far as another. */
export const reaches = (standing: Standing, needed: Standing): boolean => rank(standing) >= rank(needed)

/** What a key of this scope acts as. */
const actsAs = { read: 'viewer', write: 'operator', admin: 'admin' } as const satisfies Record<KeyScope, MachineRole>
/** The role that a key of a scope acts in. */
export const roleOfScope = (scope: KeyScope): Exclude<MachineRole, 'owner'> => actsAs[scope]

/** The least scope of a key that acts as a role; owner is out of a key's reach. */
const scopeOfRole = { none: 'read', viewer: 'read', operator: 'write', admin: 'admin', owner: 'owner' } as const

/** A store, or a transaction: whatever rows are read through. */
export interface Reader {
  get<N extends TableName>(table: N, key: string): Row<N> | undefined
}

/** What a ZID is to a machine. A member that a share let in falls with that share. */
export const standingOfZid = (reader: Reader, machine: MachineRow, zid: string): Standing => {
  if (zid === machine.owner_zid) return 'owner'
  const member = reader.get('machineMember', keyOf(machine.slug, zid))
  if (member === undefined) return 'none'
  return member.share_hash === null || member.share_hash === machine.share_hash ? member.role : 'none'
}

/** The lesser of two standings. */
const lesser = (a: Standing, b: Standing): Standing => (rank(a) <= rank(b) ? a : b)

/** What a caller is to a machine. A key is never more than who made it, and nothing to any other machine. */
export const standingOf = (reader: Reader, machine: MachineRow, caller: Caller): Standing => {
  if (caller.kind === 'anonymous' || caller.kind === 'demo') return 'none'
  if (caller.kind !== 'machine') return standingOfZid(reader, machine, caller.zid)
  const key = caller.machine.slug === machine.slug ? reader.get('machineKey', caller.keyHash) : undefined
  if (key === undefined || key.revoked_tick !== null) return 'none'
  return lesser(roleOfScope(key.scope), standingOfZid(reader, machine, key.minter_zid))
}

/**
 * The machine of a slug, for a caller who reaches `needed`. A private machine answers a stranger exactly as an absent
 * one; whoever may see it and reaches less far is told what is missing.
 *
 * @throws Fault NOT_FOUND, SCOPE_REQUIRED
 */
export const admitted = (
  reader: Reader,
  { slug, caller, needed }: { readonly slug: string; readonly caller: Caller; readonly needed: Standing },
): { readonly machine: MachineRow; readonly standing: Standing } => {
  const machine = reader.get('machine', slug)
  const standing = machine === undefined ? 'none' : standingOf(reader, machine, caller)
  if (machine === undefined || !(machine.is_public || reaches(standing, 'viewer'))) throw new Fault('NOT_FOUND')
  if (!reaches(standing, needed)) {
    const detail = needed === 'owner' ? 'Only the owner of the machine may do this.' : `This needs the role ${needed}.`
    throw new Fault('SCOPE_REQUIRED', detail, { scope: scopeOfRole[needed], role: needed })
  }
  return { machine, standing }
}

/** Who wrote an entry, as everyone may know it: the role acted in, or that a key did. */
export const sourceOf = (caller: Caller, standing: Standing): string =>
  caller.kind === 'machine' ? `key:${caller.machine.scope}` : standing

/** The ZID of a caller who has an account. @throws Fault SCOPE_REQUIRED */
export const personOf = (caller: Caller): string => {
  if (caller.kind === 'account' || caller.kind === 'owner') return caller.zid
  throw new Fault('SCOPE_REQUIRED', 'This needs the key of an account.', { scope: 'account' })
}
