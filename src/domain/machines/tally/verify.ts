import { Fault } from '#core/fault.ts'
import { chainWalk } from '#core/machine.ts'
import { type TallyReplay, TOKEN_OWNER, tallyWalk } from '#core/token-ranges.ts'
import type { MachineContext, MachineRequest } from '#domain/machines/context.ts'
import { createEntryLookup } from '#domain/machines/reads.ts'
import type { TallyVerdict } from '#domain/machines/views/tally.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { TOKEN_SOURCES } from '#store/rows/machine-token.ts'
import { chainRows, openedOf, type TokenFound, tokenFor } from './parts.ts'

/** Entries that one verification hashes; a longer chain is exported, and verified where there is time. */
export const TALLY_VERIFY_MAX = 50_000

/** What of ledger and rows says something else than the chain, or undefined. */
const difference = ({ store }: MachineContext, { machine, asset, digits }: TokenFound, found: TallyReplay) => {
  const { issued, moved, ranges, balances } = found
  const standing = store.peek('tokenStanding', digits)
  if (standing?.issued !== issued || standing.moved !== moved) return 'The rows say another number of units.'
  if (TOKEN_SOURCES.reduce((sum, it) => sum - store.balance(asset, it), 0) !== issued) {
    return 'The ledger says another number of units.'
  }
  for (const [holder, units] of balances) {
    const account = holder === TOKEN_OWNER ? machine.owner_zid : holder
    if (store.balance(asset, account) !== units) return 'The ledger says another balance of a holder.'
  }
  const sum = [...balances.values()].reduce((all, units) => all + units, 0)
  if (store.supply(asset) !== sum) return 'The ledger knows other holders.'
  for (const { first, last, owner, seq } of ranges) {
    if (owner === TOKEN_OWNER) continue
    const row = store.peek('tokenRange', keyOf(digits, seqKey(first)))
    if (row?.last !== last || row.owner !== owner || row.seq !== seq) return `The rows say other of unit ${first}.`
  }
  return undefined
}

/** Adding tokens up again, from their chains alone. */
export const createTallyVerify = (context: MachineContext, settle: (slug: string) => Promise<void>) => {
  const { store } = context
  const places = createEntryLookup(context)

  const walkTo = async (found: TokenFound, end: () => number) => {
    const { machine, standing } = found
    const { slug, genesis_hash: previous, genesis_tick: tick } = machine
    const chain = chainWalk({ seq: 0, previous, tick })
    const tally = tallyWalk()
    let size = 0
    // Entries that come in meanwhile are taken too, so that what is compared at last is of one moment.
    while (size < end()) {
      if (end() > TALLY_VERIFY_MAX) {
        const detail = `One call verifies ${TALLY_VERIFY_MAX} entries. Export the chain, and verify the file.`
        throw new Fault('INVALID_INPUT', detail, { errors: [{ path: '/to', message: detail }] })
      }
      const before = size
      for await (const row of chainRows(context, slug, size)) {
        if (row.entry.seq >= end()) break
        size = row.entry.seq + 1
        const holds = chain.step(row.entry, row.hash)
        const opened = standing === 'owner' ? openedOf(context, machine, row) : undefined
        if (!holds || !tally.step(row.entry, opened)) return { chain, tally, size, whole: false }
      }
      if (size === before) return { chain, tally, size, whole: false }
    }
    return { chain, tally, size, whole: true }
  }

  const verdictOf = async (asking: MachineRequest, to: number | undefined): Promise<TallyVerdict> => {
    const found = tokenFor({ get: store.peek }, asking, 'none')
    const { machine, asset } = found
    const { slug } = machine
    const last = to === undefined ? undefined : await places.lastAt(slug, to)
    const end = (): number => (last === undefined ? (store.peek('machineHead', slug)?.size ?? 0) : last + 1)
    const { chain, tally, size, whole } = await walkTo(found, end)
    // Nothing is waited for from here on: chain, rows and ledger are of the same moment.
    const replay = tally.result()
    const broken = chain.verdict().broken ?? replay.broken
    const known = whole && replay.withheld === 0
    const compared = known && last === undefined
    const differs = compared ? difference(context, found, replay) : undefined
    const missing = whole || broken !== undefined ? undefined : 'An entry is missing.'
    const message = broken === undefined ? (missing ?? differs) : `Entry ${broken.seq}: ${broken.why}.`
    return {
      ...{ slug, asset, valid: message === undefined, entries: size },
      ...{ token_entries: replay.entries, withheld: replay.withheld },
      issued: known ? replay.issued : null,
      moved: known ? replay.moved : null,
      ranges: known ? replay.ranges.length : null,
      holders: known ? replay.balances.size : null,
      ledger: compared ? (differs === undefined ? 'equal' : 'differs') : 'not-compared',
      broken_at: broken?.seq ?? null,
      message: message ?? null,
    }
  }

  return {
    /**
     * Adds a machine's token up again from its chain, hashes that chain, and compares ledger and rows. On a private
     * machine sums are for the owner; anybody else learns how many entries are sealed.
     *
     * @param to node tick at whose end it stood so; now when left out.
     * @throws Fault NOT_FOUND also without token, INVALID_INPUT for a chain that is too long.
     */
    verifyTally: async (asking: MachineRequest, to?: number): Promise<TallyVerdict> => {
      await settle(asking.slug)
      return verdictOf(asking, to)
    },
  }
}
