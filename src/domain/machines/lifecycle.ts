import { randomUUID } from 'node:crypto'
import { toBase64, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { genesisHash, machineIdHash } from '#core/machine.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { isSlug, SLUG_CHARS_MAX } from '#core/slug.ts'
import { randomBytes } from '#crypto'
import { putKey } from '#domain/credentials/machine-keys.ts'
import { reaches, type Standing } from '#domain/credentials/standing.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { MachineRow, MachineStatus } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { headOf, putMachine } from './chain.ts'
import { type MachineContext, type MachineRequest, originOf, timeOf } from './context.ts'
import { LIST_MAX } from './listed.ts'
import { say } from './record.ts'
import { admitted, personOf, standingOf } from './roles.ts'
import { mintStatus } from './tally/mint.ts'
import { freshDataKey } from './vault.ts'
import type { CreatedMachine, MachineView } from './views.ts'

/** Machines of one owner. */
export const MACHINES_MAX = 1_000

const NONCE_BYTES = 16
const ANCHOR_KEY_BYTES = 32
const ID_BYTES = 8

export interface CreateOrder {
  readonly slug?: string
  readonly is_public: boolean
  readonly display_name?: string
  readonly purpose?: string
  readonly parent_origin?: string
}

export interface SettingsOrder {
  readonly is_public?: boolean
  readonly display_name?: string | null
  readonly purpose?: string | null
}

/** A fresh anchor key, sealed by the vault key, and the name it is known by. */
export const freshAnchorKey = ({ vault }: MachineContext): { readonly sealed_key: string; readonly key_id: string } => {
  const key_id = toHex(randomBytes(ID_BYTES))
  const sealed = vault.seal(randomBytes(ANCHOR_KEY_BYTES), utf8(`tickmesh machine anchor key ${key_id}`))
  return { sealed_key: toBase64(sealed), key_id }
}

/** Shows a machine to a caller of this standing. */
export const machineView = (context: MachineContext, machine: MachineRow, standing: Standing): MachineView => {
  const row = context.store.peek('machineHead', machine.slug)
  if (row === undefined) throw new Error('a machine has a head')
  const member = reaches(standing, 'viewer')
  const { id, slug, parent_origin, is_public, status, genesis_tick, genesis_hash, id_hash } = machine
  return {
    id,
    slug,
    parent_origin,
    origin_id: originOf(machine),
    is_public,
    status,
    genesis_tick,
    genesis_hash,
    id_hash,
    display_name: machine.display_name,
    purpose: machine.purpose,
    created_at: timeOf(context, genesis_tick),
    head: { ...headOf(machine, row), tick: row.tick, state_hash: row.state_hash },
    role: standing,
    owner_zid: member ? machine.owner_zid : null,
    shared: member ? machine.share_hash !== null : null,
    updated_at: member ? timeOf(context, machine.updated_tick) : null,
  }
}

/** The slug of a new machine: the one asked for, or one derived from the ZID. @throws Fault SLUG_TAKEN */
const slugFor = (tx: Transaction, zid: string, asked: string | undefined): string => {
  if (asked !== undefined) {
    if (tx.get('machine', asked) !== undefined) throw new Fault('SLUG_TAKEN', undefined, { slug: asked })
    return asked
  }
  for (let n = 1; n <= MACHINES_MAX + 1; n++) {
    const slug = n === 1 ? zid : `${zid}-${n}`
    if (tx.get('machine', slug) === undefined) return slug
  }
  throw new Fault('SLUG_TAKEN', 'Every slug that derives from this ZID is taken.')
}

const assertSlug = (slug: string | undefined): void => {
  if (slug === undefined || isSlug(slug)) return
  const form = `1 to ${SLUG_CHARS_MAX} lower-case letters and digits with single hyphens between them`
  const detail = `A slug has ${form}, and is none of the reserved words.`
  throw new Fault('INVALID_SLUG', detail, { slug })
}

/** Writes a new machine, without its first entry. @throws Fault SLUG_TAKEN */
export const found = (context: MachineContext, tx: Transaction, zid: string, order: CreateOrder): MachineRow => {
  const slug = slugFor(tx, zid, order.slug)
  const nonce = toHex(randomBytes(NONCE_BYTES))
  const genesis = { slug, owner: zid, node: context.nodeId, genesis_tick: tx.tick, nonce }
  const genesis_hash = genesisHash(genesis)
  const { kid, row } = freshDataKey(context.vault, tx.tick)
  tx.put('machineDataKey', keyOf(slug, kid), row)
  tx.put('machineByGenesis', keyOf(seqKey(tx.tick), slug), slug)
  tx.put('machineByZid', keyOf(zid, slug), slug)
  context.listed.changedBy(tx)
  const machine: MachineRow = {
    id: randomUUID(),
    slug,
    nonce,
    genesis_hash,
    id_hash: machineIdHash(slug, genesis_hash),
    owner_zid: zid,
    genesis_tick: tx.tick,
    parent_origin: order.parent_origin ?? context.nodeId,
    is_public: order.is_public,
    status: 'active',
    display_name: order.display_name ?? null,
    purpose: order.purpose ?? null,
    updated_tick: tx.tick,
    share_hash: null,
    anchor: { mother: null, accepts: 'members', ...freshAnchorKey(context) },
    kid,
  }
  putMachine(tx, undefined, machine)
  return machine
}

/** How many machines a ZID owns. */
export const countOwned = async ({ store }: MachineContext, zid: string): Promise<number> => {
  let count = 0
  for await (const [, slug] of store.range('machineByZid', under(zid))) {
    if (store.peek('machine', slug)?.owner_zid === zid) count += 1
  }
  return count
}

/** Changes a machine's row and says so in its chain. */
export const amend = (
  context: MachineContext,
  tx: Transaction,
  change: {
    readonly caller: Caller
    readonly before: MachineRow
    readonly standing: Standing
    readonly after: MachineRow
    readonly type: string
    readonly open: Readonly<Record<string, Json>>
    readonly secret?: Readonly<Record<string, Json | undefined>>
  },
): MachineRow => {
  const { caller, standing, before, after, type, open, secret } = change
  putMachine(tx, before, after)
  say(context, tx, after, { type, open, caller, standing, ...(secret === undefined ? {} : { secret }) })
  return tx.get('machine', after.slug) ?? after
}

/** Shows a machine to whoever may see it. @throws Fault NOT_FOUND */
const viewer =
  (context: MachineContext) =>
  ({ caller, slug }: MachineRequest): MachineView => {
    const { machine, standing } = admitted({ get: context.store.peek }, { slug, caller, needed: 'none' })
    return machineView(context, machine, standing)
  }

/** Making machines and finding them. */
export const createLifecycle = (context: MachineContext) => {
  const { store, makeKeyOnce, listed } = context
  const view = viewer(context)

  const mine = async (caller: Caller): Promise<readonly string[]> => {
    if (caller.kind === 'machine') return [caller.machine.slug]
    if (caller.kind !== 'account' && caller.kind !== 'owner') return []
    return listed.of(caller.zid)
  }

  return {
    /**
     * Spins a machine up: its genesis, its first entry, and an admin key that is shown once.
     *
     * @throws Fault INVALID_SLUG, SLUG_TAKEN, SCOPE_REQUIRED, RATE_LIMITED
     */
    create: async (caller: Caller, order: CreateOrder, repeat?: Repeat): Promise<WithReplayed<CreatedMachine>> => {
      const zid = personOf(caller)
      assertSlug(order.slug)
      const { answer, key, replayed } = await makeKeyOnce({ caller, kind: 'machine', repeat }, async (fresh) => {
        if ((await countOwned(context, zid)) >= MACHINES_MAX) {
          throw new Fault('RATE_LIMITED', `An account has at most ${MACHINES_MAX} machines.`, { limit: MACHINES_MAX })
        }
        return (tx) => {
          const machine = found(context, tx, zid, order)
          const { slug, is_public } = machine
          say(context, tx, machine, { type: 'created', open: { is_public }, caller, standing: 'owner' })
          const tier = { rate_limit_tier: 'standard', expires_at: null, expires_ms: null } as const
          const row = putKey(tx, fresh, { slug, name: 'first key', scope: 'admin', minter_zid: zid, ...tier })
          return { slug, key_id: row.id }
        }
      })
      const { slug, key_id } = answer
      return { machine: view({ caller, slug }), api_key: key, key_id, replayed }
    },

    /** The caller's machines, then public ones by age of genesis, newest first. */
    list: async (caller: Caller): Promise<readonly MachineView[]> => {
      const views = new Map<string, MachineView>()
      const take = (slug: string): void => {
        const machine = store.peek('machine', slug)
        if (machine === undefined || views.size >= LIST_MAX) return
        const standing = standingOf({ get: store.peek }, machine, caller)
        if (machine.is_public || reaches(standing, 'viewer')) views.set(slug, machineView(context, machine, standing))
      }
      for (const slug of await mine(caller)) take(slug)
      await listed.newest((slug) => {
        if (!views.has(slug)) take(slug)
        return views.size < LIST_MAX
      })
      return [...views.values()].sort((a, b) => b.genesis_tick - a.genesis_tick)
    },

    /** @throws Fault NOT_FOUND */
    read: view,
  }
}

/** What a machine's keepers change. */
export const createKeeping = (context: MachineContext) => {
  const { store } = context
  const view = viewer(context)
  return {
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    setStatus: async ({ caller, slug }: MachineRequest, status: MachineStatus): Promise<MachineView> => {
      await store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        if (before.status === status) return
        const open = { from: before.status, to: status }
        const after = { ...before, status }
        mintStatus(tx, amend(context, tx, { caller, before, standing, after, type: 'status', open }))
      })
      return view({ caller, slug })
    },

    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE for an archived machine. */
    settings: async ({ caller, slug }: MachineRequest, order: SettingsOrder): Promise<MachineView> => {
      await store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        if (before.status === 'archived') throw new Fault('MACHINE_NOT_ACTIVE', 'The machine is archived.')
        const changed = Object.keys(order).sort()
        if (changed.length === 0) return
        const after = { ...before, ...order }
        amend(context, tx, {
          caller,
          before,
          standing,
          after,
          type: 'settings',
          open: { changed },
          secret: { ...order },
        })
      })
      return view({ caller, slug })
    },
  }
}
