import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { type Reader, reaches, roleOfScope, type Standing, standingOfZid } from '#domain/credentials/standing.ts'
import type { MachineRow } from '#store/rows/machine.ts'

/** The least scope of a key that acts as a role; owner is out of a key's reach. */
const scopeOfRole = { none: 'read', viewer: 'read', operator: 'write', admin: 'admin', owner: 'owner' } as const

/** The lesser of two standings. */
const lesser = (a: Standing, b: Standing): Standing => (reaches(a, b) ? b : a)

/** What a caller is to a machine. A key is never more than who made it, and nothing to any other machine. */
export const standingOf = (reader: Reader, machine: MachineRow, caller: Caller): Standing => {
  if (caller.kind === 'anonymous' || caller.kind === 'demo' || caller.kind === 'channel') return 'none'
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
export const sourceOf = (caller: Caller, standing: Standing): string => {
  if (caller.kind === 'machine') return `key:${caller.machine.scope}`
  return caller.kind === 'anonymous' && caller.publisher !== undefined ? 'key:publish' : standing
}

/** The ZID of a caller who has an account. @throws Fault SCOPE_REQUIRED */
export const personOf = (caller: Caller): string => {
  if (caller.kind === 'account' || caller.kind === 'owner') return caller.zid
  throw new Fault('SCOPE_REQUIRED', 'This needs the key of an account.', { scope: 'account' })
}
