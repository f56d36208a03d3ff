import type { ResultAt } from '#api/result-of.ts'

/** A machine as the node shows it; members alone see what is null here for others. */
export type Machine = ResultAt<'GET /api/chain/state-machines/{slug}'>['machine']

/** What one may be to a machine. */
export type Role = Machine['role']

/** From the least. */
const ranks: readonly Role[] = ['none', 'viewer', 'operator', 'admin', 'owner']

/** Whether a role reaches as far as another. */
export const reaches = (role: Role, needed: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(needed)

export type Status = Machine['status']
export const statuses: readonly Status[] = ['active', 'paused', 'archived']
