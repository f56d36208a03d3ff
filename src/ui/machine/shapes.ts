/** What one may be to a machine, from the least. */
const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
export type Role = (typeof ranks)[number]

/** Whether a role reaches as far as another. */
export const reaches = (role: Role, needed: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(needed)

export const statuses = ['active', 'paused', 'archived'] as const
export type Status = (typeof statuses)[number]

/** A machine as the node shows it; members alone see what is null here for others. */
export interface MachineShape {
  readonly id: string
  readonly slug: string
  readonly origin_id: string
  readonly is_public: boolean
  readonly status: Status
  readonly genesis_tick: number
  readonly genesis_hash: string
  readonly id_hash: string
  readonly display_name: string | null
  readonly purpose: string | null
  readonly created_at: string
  readonly head: {
    readonly seq: number
    readonly hash: string
    readonly size: number
    readonly root: string
    readonly tick: number
    readonly state_hash: string | null
  }
  readonly role: Role
  readonly owner_zid: string | null
  readonly shared: boolean | null
}

/** One entry of a chain. */
export interface BlockShape {
  readonly id: string
  readonly seq: number
  readonly tickNumber: number
  readonly stateHash: string
  readonly prevHash: string
  readonly transitionType: string
  readonly transitionId: string
  readonly createdAt: string
  readonly body: unknown
}

/** Where a machine stood after one entry. */
export interface SnapshotShape extends BlockShape {
  readonly size: number
  readonly state_hash: string | null
  readonly status: Status
}

/** An entry of a public feed. */
export interface FeedShape extends BlockShape {
  readonly slug: string
}

/** Entries that a reader will not be given one by one: those between two numbers. */
export interface GapShape {
  readonly after: number
  readonly next: number
  readonly missed: number
}

export interface StatsShape {
  readonly genesis_tick: number
  readonly last_tick: number
  readonly age_ticks: number
  readonly entries: number
  readonly entries_in_window: number
  readonly window_ticks: number
}

export interface AnalyticsShape {
  readonly window: number
  readonly ticks_moved: number
  readonly by_type: Readonly<Record<string, number>>
  readonly by_event: Readonly<Record<string, number>>
}

export interface SourcesShape {
  readonly window: number
  readonly by_source: Readonly<Record<string, number>>
}

export interface MemberShape {
  readonly zid: string
  readonly role: Role
  readonly added_tick: number
  readonly by_share: boolean
}

export interface MachineKeyShape {
  readonly id: string
  readonly name: string
  readonly scope: 'read' | 'write' | 'admin'
  readonly rate_limit_tier: string
  readonly created_tick: number
  readonly expires_at: string | null
  readonly revoked: boolean
}

/** What an entry is called: an event by its own name, anything else by its type. */
export const nameOf = ({ transitionType, body }: BlockShape): string => {
  const event = typeof body === 'object' && body !== null ? (body as { event?: unknown }).event : undefined
  return transitionType === 'event' && typeof event === 'string' ? event : transitionType
}

/** Where an entry came from, as everyone may know it. */
export const sourceOf = ({ body }: BlockShape): string => {
  const source = typeof body === 'object' && body !== null ? (body as { source?: unknown }).source : undefined
  return typeof source === 'string' ? source : 'node'
}
