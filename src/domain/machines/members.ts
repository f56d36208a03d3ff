import { constantTimeEqual, fromHex, toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { parseIsoMs } from '#core/iso.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { NS_PER_MS } from '#core/time.ts'
import { randomBytes, sha256 } from '#crypto'
import { putKey } from '#domain/credentials/machine-keys.ts'
import { reaches, roleOfScope, standingOfZid } from '#domain/credentials/standing.ts'
import { keyOf, under } from '#store/layout.ts'
import type { KeyScope, MachineKeyRow, MachineMemberRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { amend } from './lifecycle.ts'
import { say } from './record.ts'
import { admitted, personOf } from './roles.ts'
import type { CreatedMachineKey, KeyView, MemberView, ShareToken, Unlocked } from './views.ts'

/** Members of one machine. */
export const MEMBERS_MAX = 1_000
/** Keys of one machine, revoked ones included. */
export const MACHINE_KEYS_MAX = 1_000

const TOKEN_BYTES = 32

type Role = MachineMemberRow['role']

const keyView = (row: MachineKeyRow): KeyView => {
  const { id, name, scope, rate_limit_tier, created_tick, expires_at, revoked_tick } = row
  return { id, name, scope, rate_limit_tier, created_tick, expires_at, revoked: revoked_tick !== null }
}

const hashOf = (token: string): string => toHex(sha256(utf8(token)))

const tooMany = (limit: number, what: string): Fault =>
  new Fault('RATE_LIMITED', `A machine has at most ${limit} ${what}.`, { limit })

/** Who may do what with a machine. */
export const createMembers = (context: MachineContext) => {
  const { store } = context

  const assertKnown = (tx: Transaction, zid: string): void => {
    if (tx.get('account', zid) === undefined) throw new Fault('UNKNOWN_ZID', undefined, { zid })
  }
  const count = async (slug: string): Promise<number> => {
    let members = 0
    for await (const _ of store.range('machineMember', { ...under(slug), limit: MEMBERS_MAX })) members += 1
    return members
  }
  const put = (tx: Transaction, slug: string, zid: string, row: MachineMemberRow): void => {
    tx.put('machineMember', keyOf(slug, zid), row)
    tx.put('machineByZid', keyOf(zid, slug), slug)
    context.listed.changedBy(tx)
  }

  /** Gives a ZID a role. `known`: only to one that has a role already. */
  const setRole = async (
    { caller, slug }: MachineRequest,
    { zid, role, known }: { readonly zid: string; readonly role: Role; readonly known: boolean },
  ): Promise<MemberView> => {
    admitted({ get: store.peek }, { slug, caller, needed: 'admin' })
    if (!known && (await count(slug)) >= MEMBERS_MAX) throw tooMany(MEMBERS_MAX, 'members')
    return store.commit((tx) => {
      const { machine, standing } = admitted(tx, { slug, caller, needed: 'admin' })
      if (zid === machine.owner_zid) throw new Fault('SCOPE_REQUIRED', 'The owner stays the owner.', { role: 'owner' })
      const before = tx.get('machineMember', keyOf(slug, zid))
      if (known && before === undefined) throw new Fault('NOT_FOUND')
      if (!known) assertKnown(tx, zid)
      const row = { role, added_tick: before?.added_tick ?? tx.tick, share_hash: null }
      put(tx, slug, zid, row)
      say(context, tx, machine, { type: 'role', open: { role }, secret: { zid }, caller, standing })
      return { zid, role, added_tick: row.added_tick, by_share: false }
    })
  }

  return {
    /** For members. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    admins: async ({ caller, slug }: MachineRequest): Promise<readonly MemberView[]> => {
      const { machine } = admitted({ get: store.peek }, { slug, caller, needed: 'viewer' })
      const { owner_zid, genesis_tick, share_hash: share } = machine
      const views: MemberView[] = [{ zid: owner_zid, role: 'owner', added_tick: genesis_tick, by_share: false }]
      for await (const [key, row] of store.range('machineMember', { ...under(slug), limit: MEMBERS_MAX })) {
        const { role, added_tick, share_hash } = row
        const live = share_hash === null || share_hash === share
        if (live) views.push({ zid: key.slice(slug.length + 1), role, added_tick, by_share: share_hash !== null })
      }
      return views
    },
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED, UNKNOWN_ZID */
    addAdmin: (asking: MachineRequest, zid: string, role: Role) => setRole(asking, { zid, role, known: false }),
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    changeAdmin: (asking: MachineRequest, zid: string, role: Role) => setRole(asking, { zid, role, known: true }),
    /** A member may take itself out; anyone else needs to be admin. */
    removeAdmin: async ({ caller, slug }: MachineRequest, zid: string): Promise<void> => {
      await store.commit((tx) => {
        const self = caller.kind !== 'anonymous' && caller.kind !== 'machine' && caller.zid === zid
        const { machine, standing } = admitted(tx, { slug, caller, needed: self ? 'viewer' : 'admin' })
        if (tx.get('machineMember', keyOf(slug, zid)) === undefined) throw new Fault('NOT_FOUND')
        tx.del('machineMember', keyOf(slug, zid))
        tx.del('machineByZid', keyOf(zid, slug))
        context.listed.changedBy(tx)
        say(context, tx, machine, { type: 'role', open: { role: null }, secret: { zid }, caller, standing })
      })
    },
    /** Whoever has the share token becomes a viewer, as long as the share stands. @throws Fault NOT_FOUND */
    unlock: async ({ caller, slug }: MachineRequest, token: string): Promise<Unlocked> => {
      const zid = personOf(caller)
      if ((await count(slug)) >= MEMBERS_MAX) throw tooMany(MEMBERS_MAX, 'members')
      return store.commit((tx) => {
        const machine = tx.get('machine', slug)
        const share = machine?.share_hash ?? null
        if (machine === undefined || share === null) throw new Fault('NOT_FOUND')
        if (!constantTimeEqual(fromHex(hashOf(token)), fromHex(share))) throw new Fault('NOT_FOUND')
        const before = standingOfZid(tx, machine, zid)
        if (!reaches(before, 'viewer')) {
          put(tx, slug, zid, { role: 'viewer', added_tick: tx.tick, share_hash: share })
        }
        const standing = standingOfZid(tx, machine, zid)
        say(context, tx, machine, { type: 'unlock', caller, standing })
        return { slug, role: standing }
      })
    },
    ...createShares(context),
  }
}

const createShares = (context: MachineContext) => {
  const change = (caller: Caller, slug: string, shareHash: string | null): Promise<void> =>
    context.store.commit((tx) => {
      const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
      if (before.share_hash === shareHash) return
      const open = { shared: shareHash !== null }
      amend(context, tx, { caller, before, standing, after: { ...before, share_hash: shareHash }, type: 'share', open })
    })
  return {
    /** A fresh share token, shown once; an earlier one, and whoever came by it, falls. */
    share: async ({ caller, slug }: MachineRequest): Promise<ShareToken> => {
      const token = toBase64Url(randomBytes(TOKEN_BYTES))
      await change(caller, slug, hashOf(token))
      return { share_token: token }
    },
    unshare: ({ caller, slug }: MachineRequest): Promise<void> => change(caller, slug, null),
  }
}

export interface KeyWish {
  readonly name: string
  readonly scope: KeyScope
  readonly rate_limit_tier: 'standard' | 'low'
  /** ISO 8601, with zone. */
  readonly expires_at?: string
}

/** Whom a key of this caller would answer to. */
export const minterOf = (tx: Transaction, caller: Caller): string => {
  const own = caller.kind === 'machine' ? tx.get('machineKey', caller.keyHash) : undefined
  return own === undefined ? personOf(caller) : own.minter_zid
}

/** The keys of a machine. */
export const createMachineKeys = (context: MachineContext) => {
  const { store, makeKeyOnce } = context
  const rowsOf = async (slug: string): Promise<readonly MachineKeyRow[]> => {
    const rows: MachineKeyRow[] = []
    for await (const [, hash] of store.range('machineKeyOf', { ...under(slug), limit: MACHINE_KEYS_MAX })) {
      const row = store.peek('machineKey', hash)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }
  const endOf = (expiresAt: string | undefined): { expires_at: string | null; expires_ms: number | null } => {
    if (expiresAt === undefined) return { expires_at: null, expires_ms: null }
    const ms = parseIsoMs(expiresAt)
    if (ms === undefined || BigInt(ms) * NS_PER_MS <= store.now().instant) {
      const message = 'expires_at is an ISO 8601 time with zone, in the future'
      throw new Fault('INVALID_INPUT', message, { errors: [{ path: '/expires_at', message }] })
    }
    return { expires_at: expiresAt, expires_ms: ms }
  }

  return {
    /** For admins. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    machineKeys: async ({ caller, slug }: MachineRequest): Promise<readonly KeyView[]> => {
      admitted({ get: store.peek }, { slug, caller, needed: 'admin' })
      return (await rowsOf(slug)).map(keyView).sort((a, b) => a.created_tick - b.created_tick)
    },
    /** Makes a key that reaches no further than its maker. @throws Fault NOT_FOUND, SCOPE_REQUIRED, INVALID_INPUT */
    makeMachineKey: async (
      { caller, slug }: MachineRequest,
      wish: KeyWish,
      repeat?: Repeat,
    ): Promise<WithReplayed<CreatedMachineKey>> => {
      admitted({ get: store.peek }, { slug, caller, needed: 'admin' })
      const { name, scope, rate_limit_tier } = wish
      const { answer, key, replayed } = await makeKeyOnce({ caller, kind: 'machine', repeat }, async (fresh) => {
        const end = endOf(wish.expires_at)
        if ((await rowsOf(slug)).length >= MACHINE_KEYS_MAX) throw tooMany(MACHINE_KEYS_MAX, 'keys')
        return (tx) => {
          const { machine, standing } = admitted(tx, { slug, caller, needed: 'admin' })
          if (!reaches(standing, roleOfScope(scope))) throw new Fault('SCOPE_REQUIRED', undefined, { scope })
          const minter_zid = minterOf(tx, caller)
          const row = putKey(tx, fresh, { slug, name, scope, rate_limit_tier, minter_zid, ...end })
          const open = { key: row.id, change: 'made', scope }
          say(context, tx, machine, { type: 'key', open, secret: { name }, caller, standing })
          return { ...keyView(row) }
        }
      })
      return { ...answer, api_key: key, replayed }
    },
    /** At once and for good. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    revokeMachineKey: async ({ caller, slug }: MachineRequest, id: string): Promise<void> => {
      await store.commit((tx) => {
        const { machine, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        const hash = tx.get('machineKeyOf', keyOf(slug, id))
        const row = hash === undefined ? undefined : tx.get('machineKey', hash)
        if (hash === undefined || row === undefined) throw new Fault('NOT_FOUND')
        if (row.revoked_tick !== null) return
        tx.put('machineKey', hash, { ...row, revoked_tick: tx.tick })
        say(context, tx, machine, { type: 'key', open: { key: id, change: 'revoked' }, caller, standing })
      })
    },
  }
}
