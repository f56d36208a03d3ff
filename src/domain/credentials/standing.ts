import { keyOf, type Row, type TableName } from '#store/layout.ts'
import type { KeyScope, MachineRole, MachineRow } from '#store/rows/machine.ts'

/** What one may be to a machine, from the least. */
const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
export type Standing = (typeof ranks)[number]

const rank = (standing: Standing): number => ranks.indexOf(standing)

/** Whether a standing reaches as far as another. */
export const reaches = (standing: Standing, needed: Standing): boolean => rank(standing) >= rank(needed)

/** What a key of this scope acts as. */
const actsAs = { read: 'viewer', write: 'operator', admin: 'admin' } as const satisfies Record<KeyScope, MachineRole>
/** The role that a key of a scope acts in. */
export const roleOfScope = (scope: KeyScope): Exclude<MachineRole, 'owner'> => actsAs[scope]

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
