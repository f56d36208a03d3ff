import type { Caller } from '#core/caller.ts'
import { seqOf, under } from '#store/layout.ts'
import type { AnchorPolicy, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { anchorIn, ownMother } from './anchor-in.ts'
import { ANCHOR_TICKS, anchorsIn } from './anchoring.ts'
import { type MachineContext, type MachineRequest, once, type Replayable } from './context.ts'
import { amend, freshAnchorKey } from './lifecycle.ts'
import { recordedOf, type Writing } from './record.ts'
import { admitted } from './roles.ts'
import type { AnchorConfig, AnchorItem, Anchoring, RecordedView } from './views.ts'

/** Anchors that an overview looks at, the newest. */
export const ANCHORS_MAX = 10_000

const configOf = (reader: Pick<Transaction, 'get'>, { slug, anchor }: MachineRow): AnchorConfig => {
  const { mother, accepts, key_id } = anchor
  const { next = null, refused = false } = reader.get('machineAnchoring', slug) ?? {}
  return { slug, mother, accepts, key_id, every_ticks: ANCHOR_TICKS, next_mesh_tick: next, refused }
}

/** The ZID of who stands behind a caller: of a key its maker. */
const answering = (tx: Transaction, caller: Caller): string => {
  if (caller.kind === 'machine') return tx.get('machineKey', caller.keyHash)?.minter_zid ?? caller.zid
  return caller.kind === 'anonymous' ? '' : caller.zid
}

/** A machine's head in another one's chain. */
export const createAnchors = (context: MachineContext) => {
  const { store } = context

  const anchorsOf = async ({ caller, slug }: MachineRequest): Promise<readonly AnchorItem[]> => {
    admitted({ get: store.peek }, { slug, caller, needed: 'none' })
    const items: AnchorItem[] = []
    const newest = { ...under(slug), reverse: true, limit: ANCHORS_MAX }
    for await (const [key, row] of store.range('machineAnchor', newest)) {
      items.push({ seq: seqOf(key.slice(slug.length + 1)), ...row })
    }
    return items
  }

  return {
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED for who is no member. */
    anchorConfig: ({ caller, slug }: MachineRequest): AnchorConfig =>
      configOf({ get: store.peek }, admitted({ get: store.peek }, { slug, caller, needed: 'viewer' }).machine),
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED, INVALID_INPUT for a machine that is to be its own mother */
    setAnchorConfig: (
      { caller, slug }: MachineRequest,
      order: { readonly mother?: string | null; readonly accepts?: AnchorPolicy },
    ): Promise<AnchorConfig> =>
      store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        if (order.mother === slug) throw ownMother()
        const after = { ...before, anchor: { ...before.anchor, ...order } }
        const open = { accepts: after.anchor.accepts }
        const secret = { mother: after.anchor.mother }
        const said = amend(context, tx, { caller, before, standing, after, type: 'anchor_config', open, secret })
        if (order.mother !== undefined) anchorsIn(tx, said, answering(tx, caller))
        return configOf(tx, said)
      }),
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    rotateAnchorKey: ({ caller, slug }: MachineRequest): Promise<AnchorConfig> =>
      store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        const after = { ...before, anchor: { ...before.anchor, ...freshAnchorKey(context) } }
        const open = { key: after.anchor.key_id }
        return configOf(tx, amend(context, tx, { caller, before, standing, after, type: 'anchor_key', open }))
      }),
    /**
     * Puts a machine's head into its mother's chain, under the pseudonym that it has there.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED
     */
    anchor: async (writing: Writing, child: string): Promise<Replayable<RecordedView>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      if (child === slug) throw ownMother()
      admitted({ get: store.peek }, { slug, caller, needed: 'none' })
      return once(context, { caller, scope, key, input: { slug, child } }, (tx) => {
        const said = anchorIn(context, tx, { caller, child, mother: slug, ofNode: false })
        return recordedOf(slug, said)
      })
    },
    /** Who anchors here, by pseudonym, over the newest anchors. @throws Fault NOT_FOUND */
    anchored: async (asking: MachineRequest): Promise<readonly Anchoring[]> => {
      const byName = Map.groupBy(await anchorsOf(asking), (it) => it.pseudonym)
      return [...byName].map(([pseudonym, items]) => ({
        pseudonym,
        anchors: items.length,
        first_tick: items.at(-1)?.tick ?? 0,
        last_tick: items[0]?.tick ?? 0,
      }))
    },
    /** The newest anchors, newest first. @throws Fault NOT_FOUND */
    anchors: async (asking: MachineRequest, limit: number): Promise<readonly AnchorItem[]> =>
      (await anchorsOf(asking)).slice(0, limit),
  }
}
