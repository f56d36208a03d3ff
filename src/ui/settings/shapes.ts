/** An account as `GET /api/auth/account` shows it. */
export interface AccountShape {
  readonly zid: string
  readonly public_key: string
  readonly custody: 'node' | 'self'
  readonly created_tick: number
  readonly owner: boolean
}

/** A key as `GET /api/auth/keys` lists it. */
export interface KeyShape {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly created_tick: number
  readonly expires_mesh_tick: number | null
  readonly revoked: boolean
}

/** What `GET /api/daemon/status` says. */
export interface StatusShape {
  readonly version: string
  readonly build: string
  readonly kernel_version: string
  readonly registry_version: string
  readonly state: string
  readonly tick: number
  readonly mesh_tick: number
  readonly uptime_seconds: number
  readonly node_version: string
  readonly platform: string
  readonly rss_bytes: number
  readonly clock_jumps: readonly { readonly tick: number; readonly step_ns: string }[]
  readonly peers: number
  readonly endpoints: number
}
