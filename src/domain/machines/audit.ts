import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { keyOf } from '#store/layout.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { createEntryLookup } from './reads.ts'
import { say } from './record.ts'
import { admitted, personOf } from './roles.ts'
import { openMembers, sealedOf } from './vault.ts'
import type { Opened } from './views.ts'

/** Entries that one call opens. */
export const DECRYPT_MAX = 1_000

/** The sealed members of a chain, for the owner's eyes. */
export const createAudit = (context: MachineContext) => {
  const { store, vault } = context
  const places = createEntryLookup(context)

  return {
    /**
     * Opens the sealed members of a range of ticks, for the owner in person. That it was done is in the chain before
     * anything is answered.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED also for an admin and for every machine key, INVALID_INPUT
     */
    decrypt: async (
      { caller, slug }: MachineRequest,
      { from, to }: { readonly from: number; readonly to: number },
    ): Promise<Opened> => {
      const { machine } = admitted({ get: store.peek }, { slug, caller, needed: 'owner' })
      const by = personOf(caller)
      const first = await places.firstAt(slug, from)
      const end = (await places.lastAt(slug, to)) + 1
      if (end - first > DECRYPT_MAX) {
        const message = `one call opens ${DECRYPT_MAX} entries, and the range has ${end - first}`
        throw new Fault('INVALID_INPUT', message, { errors: [{ path: '/to', message }] })
      }
      const audited = await store.commit((tx) => {
        const { machine: now, standing } = admitted(tx, { slug, caller, needed: 'owner' })
        return say(context, tx, now, { type: 'audit_decrypted', open: { by, from, to }, caller, standing })
      })
      const open = ({ entry }: MachineEntryRow): Json => {
        const sealed = sealedOf(entry.body)
        if (sealed === undefined) return {}
        const place = { id_hash: machine.id_hash, seq: entry.seq, type: entry.type }
        return openMembers(vault, store.peek('machineDataKey', keyOf(slug, sealed.kid)), { sealed, place }) ?? null
      }
      const entries: Opened['entries'][number][] = []
      for await (const row of places.rows(slug, first, end)) {
        const { seq, tick, type } = row.entry
        entries.push({ seq, tick, type, members: open(row) })
      }
      return { slug, entries, audit_seq: audited.entry.seq }
    },
  }
}
