import { fromBase64, toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { headDigest } from '#core/machine.ts'
import { hmacSha256 } from '#crypto'
import { reaches } from '#domain/credentials/standing.ts'
import { keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { AnchorPolicy, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { headOf } from './chain.ts'
import { type MachineContext, type MachineRequest, once, type Replayable } from './context.ts'
import { amend, freshAnchorKey } from './lifecycle.ts'
import { assertActive, recordedOf, say, type Writing } from './record.ts'
import { admitted } from './roles.ts'
import type { AnchorConfig, AnchorItem, Anchoring, RecordedView } from './views.ts'

/** Anchors that an overview looks at, the newest. */
export const ANCHORS_MAX = 10_000
const PSEUDONYM_DIGITS = 32

const configOf = ({ slug, anchor }: MachineRow): AnchorConfig => {
  const { mother, accepts, key_id } = anchor
  return { slug, mother, accepts, key_id }
}

/** Under which name a machine anchors in a mother: stable there, and not to be joined with any other mother's. */
const pseudonymOf = ({ vault }: MachineContext, { anchor }: MachineRow, mother: MachineRow): string => {
  const { sealed_key, key_id } = anchor
  const key = vault.open(fromBase64(sealed_key), utf8(`tickmesh machine anchor key ${key_id}`))
  return toHex(hmacSha256(key, utf8(mother.id_hash))).slice(0, PSEUDONYM_DIGITS)
}

/** The mother, if she takes anchors of this caller. */
const taking = (tx: Transaction, { caller, slug }: MachineRequest) => {
  const found = admitted(tx, { slug, caller, needed: 'none' })
  const { accepts } = found.machine.anchor
  const open = accepts === 'anyone' || (accepts === 'members' && reaches(found.standing, 'operator'))
  if (!open) throw new Fault('SCOPE_REQUIRED', 'This machine takes no anchors of yours.', { role: 'operator' })
  assertActive(found.machine)
  return found
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
      configOf(admitted({ get: store.peek }, { slug, caller, needed: 'viewer' }).machine),
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    setAnchorConfig: (
      { caller, slug }: MachineRequest,
      order: { readonly mother?: string | null; readonly accepts?: AnchorPolicy },
    ): Promise<AnchorConfig> =>
      store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        const after = { ...before, anchor: { ...before.anchor, ...order } }
        const open = { accepts: after.anchor.accepts }
        const secret = { mother: after.anchor.mother }
        return configOf(amend(context, tx, { caller, before, standing, after, type: 'anchor_config', open, secret }))
      }),
    /** @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    rotateAnchorKey: ({ caller, slug }: MachineRequest): Promise<AnchorConfig> =>
      store.commit((tx) => {
        const { machine: before, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        const after = { ...before, anchor: { ...before.anchor, ...freshAnchorKey(context) } }
        const open = { key: after.anchor.key_id }
        return configOf(amend(context, tx, { caller, before, standing, after, type: 'anchor_key', open }))
      }),
    /**
     * Puts a machine's head into its mother's chain, under the pseudonym that it has there.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED
     */
    anchor: async (writing: Writing, child: string): Promise<Replayable<RecordedView>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      if (child === slug) throw new Fault('INVALID_INPUT', 'A machine is not its own mother.', { errors: [] })
      admitted({ get: store.peek }, { slug, caller, needed: 'none' })
      return once(context, { caller, scope, key, input: { slug, child } }, (tx) => {
        const { machine } = admitted(tx, { slug: child, caller, needed: 'operator' })
        const mother = taking(tx, { caller, slug })
        const row = tx.get('machineHead', child)
        if (row === undefined) throw new Error('a machine has a head')
        const pseudonym = pseudonymOf(context, machine, mother.machine)
        const head = headDigest(headOf(machine, row))
        const open = { pseudonym, head }
        const said = say(context, tx, mother.machine, {
          type: 'anchor',
          open,
          unnamed: true,
          caller,
          standing: mother.standing,
        })
        const { seq, tick } = said.entry
        tx.put('machineAnchor', keyOf(slug, seqKey(seq)), { pseudonym, tick, head })
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
