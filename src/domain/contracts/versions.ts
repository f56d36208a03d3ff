import type { Json } from '#core/canonical.ts'
import { fireId } from '#core/contract/cause.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { once } from '#domain/machines/context.ts'
import { zoneDigest } from '#numerics/contracts/cron/cron.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { takenOver } from '#numerics/contracts/fire/dues.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { under } from '#store/layout.ts'
import { type ContractRow, type ContractVersionRow, numberedKey } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { type DeployedContract, putVersion } from './author.ts'
import { carried, type Migrate } from './carry.ts'
import { actorOf, change } from './changes.ts'
import type { ContractContext } from './context.ts'
import { assertNotFrozen, type ContractRequest, findContract, needs } from './finding.ts'
import { heardUpTo, isDone, lookTick } from './schedule.ts'
import { putSecrets, type SecretOrder, secretNames, secretsOf } from './secrets.ts'
import { contractViewOf } from './shown.ts'
import { invalid, type Judge, type SoundContract } from './sound.ts'
import type { ContractView, Integrity, VersionPage, VersionView } from './views.ts'

/** What is to be another way. */
export interface PatchOrder {
  readonly definition?: unknown
  readonly migrate?: Migrate | undefined
  readonly secrets?: SecretOrder | undefined
}

/** Which version a caller goes by: its digest, or its number. */
export interface Matching {
  readonly ifMatch?: string | undefined
}

/** @throws Fault VERSION_CONFLICT */
const assertMatch = ({ version, version_no }: ContractRow, { ifMatch }: Matching): void => {
  if (ifMatch === undefined || ifMatch === '*') return
  const said = ifMatch.replace(/^"(.*)"$/, '$1')
  if (said === version || said === String(version_no)) return
  throw new Fault('VERSION_CONFLICT', `It has version ${version_no} now.`, { version, version_no })
}

interface Turn {
  readonly caller: ContractRequest['caller']
  readonly what: 'patched' | 'rolled back'
  readonly sound: SoundContract
  readonly ready: ReadyContract
  readonly order: PatchOrder
  /** The version that a rollback brings back. */
  readonly of: number | null
}

/** What is given goes by the clocks of now; a contract whose definition nobody touches keeps those that it has. */
const sameZones = (zones: SoundContract['zones'], pinned: ContractVersionRow['zones']): boolean =>
  Object.entries(zones).every(([zone, table]) => pinned[zone] === zoneDigest(table))

/** Lets another version take over, or moves what stands under the present one. */
const turn = (
  context: ContractContext,
  tx: Transaction,
  of: Turn & { readonly found: ReturnType<typeof findContract> },
): ContractRow => {
  const { caller, what, sound, order, found } = of
  const { machine, row: before } = found
  const present = tx.get('contractVersion', numberedKey(before.id, before.version_no)) as ContractVersionRow
  const isNew =
    of.of !== null ||
    sound.version !== present.version ||
    (order.definition !== undefined && !sameZones(sound.zones, { ...present.zones, ...before.zones }))
  const held = context.contracts.readyIn(tx, before)
  const ready = isNew ? of.ready : held
  const version_no = before.version_no + (isNew ? 1 : 0)
  const entered = {
    fire: fireId(before.contract, { key: `version ${version_no} row ${before.rows}` }),
    tick: tx.meshTick,
  }
  const from = present.definition as unknown as Definition
  const { standing: fitted, faults } = carried(
    { from, to: sound.definition, standing: before.standing, entered },
    order.migrate,
  )
  if (faults.length > 0) throw invalid(faults, { migrate: faults.map(({ path }) => path) })
  const last = { before: held, state: before.standing.state, tick: tx.meshTick }
  const standing = takenOver(ready, fitted, last)
  putSecrets(tx, context, {
    ...{ contract: before, machine, order: order.secrets ?? {}, needed: secretsOf(sound.definition) },
  })
  if (isNew) putVersion(tx, before.id, sound, { no: version_no, by: actorOf(caller), of: of.of })
  const skip = before.skip !== null && ready.triggers.has(before.skip.trigger) ? before.skip : null
  const { zones: _zones, ...rest } = before
  const moved: ContractRow = {
    ...(isNew ? rest : before),
    ...{ name: sound.definition.name, version: sound.version, version_no, standing, skip },
    done: isDone(ready, standing),
    seqs: before.status === 'live' ? heardUpTo(tx, before.slug, ready, before.seqs) : before.seqs,
  }
  const after = { ...moved, next: lookTick(ready, moved) }
  const { windows: _, ...kept } = standing
  const details: Record<string, Json> = { from: before.version_no, to: version_no, of: of.of, ...kept }
  return change(context, tx, { caller, before, after, what, details })
}

/** Changes what contracts say. */
export const createTurns = (context: ContractContext, judge: Judge) => {
  const { store, contracts } = context
  const reader = { get: store.peek }
  const shown = async (id: string): Promise<ContractView> => {
    const row = contracts.peek(id) as ContractRow
    return contractViewOf(row, contracts.version(id, row.version_no), await secretNames(store, id))
  }

  return {
    /**
     * Gives a contract another definition, moves where it stands, or changes its secrets. A fire under way ends by the
     * version it began with.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CONTRACT_FROZEN, VERSION_CONFLICT, CONTRACT_INVALID, SECRET_UNKNOWN
     */
    patch: async (asking: ContractRequest, order: PatchOrder, matching: Matching): Promise<DeployedContract> => {
      const { row } = findContract(reader, asking, needs.author)
      assertNotFrozen(row)
      assertMatch(row, matching)
      const given = order.definition ?? contracts.version(row.id, row.version_no).definition
      const sound = judge(given, asking.caller)
      const ready = readyContract(sound)
      await store.commit((tx) => {
        const found = findContract(tx, asking, needs.author)
        assertNotFrozen(found.row)
        assertMatch(found.row, matching)
        // Where only secrets or the standing change, a version that came meanwhile stays.
        if (order.definition === undefined && found.row.version_no !== row.version_no) {
          throw new Fault('VERSION_CONFLICT', undefined, {
            version: found.row.version,
            version_no: found.row.version_no,
          })
        }
        turn(context, tx, { caller: asking.caller, what: 'patched', sound, ready, order, of: null, found })
      })
      return { contract: await shown(row.id), warnings: sound.warnings }
    },

    /**
     * Brings a version back, as a new one. @throws Fault as {@link patch}; NOT_FOUND for a version there is not
     */
    rollback: async (
      asking: ContractRequest,
      { to, migrate, ifMatch }: { readonly to: number; readonly migrate?: Migrate | undefined } & Matching,
      repeat: Repeat,
    ): Promise<WithReplayed<DeployedContract>> => {
      const { row } = findContract(reader, asking, needs.author)
      const earlier = store.peek('contractVersion', numberedKey(row.id, to))
      if (earlier === undefined) throw new Fault('NOT_FOUND', 'The contract has no such version.')
      const sound = judge(earlier.definition, asking.caller)
      const ready = readyContract(sound)
      const { scope, key, input } = repeat
      const { caller } = asking
      const { replayed } = await once(
        context,
        { caller, scope, key, input: { ...input, ifMatch: ifMatch ?? null } as Json },
        (tx) => {
          const found = findContract(tx, asking, needs.author)
          assertNotFrozen(found.row)
          assertMatch(found.row, { ifMatch })
          return turn(context, tx, { caller, what: 'rolled back', sound, ready, order: { migrate }, of: to, found }).id
        },
      )
      return { contract: await shown(row.id), warnings: sound.warnings, replayed }
    },
  }
}

/** Reads versions. */
export const createVersions = ({ store, contracts }: ContractContext) => {
  const reader = { get: store.peek }
  return {
    /** For the owner in person, newest first. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    versions: async (
      asking: ContractRequest,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<VersionPage> => {
      const { row } = findContract(reader, asking, needs.own)
      const { id, version_no: total } = row
      const versions: VersionPage['versions'][number][] = []
      const newest = total - offset
      const range = { ...under(id), lt: numberedKey(id, Math.max(newest + 1, 0)), reverse: true, limit }
      for await (const [, { definition: _, ...it }] of store.range('contractVersion', range)) versions.push(it)
      return { id, current: total, total, limit, offset, versions }
    },

    /** For the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    version: (asking: ContractRequest, no: number): VersionView => {
      const { row } = findContract(reader, asking, needs.own)
      const found = store.peek('contractVersion', numberedKey(row.id, no))
      if (found === undefined) throw new Fault('NOT_FOUND', 'The contract has no such version.')
      return { id: row.id, ...found }
    },

    /** The stored digest, and that of the definition as it stands in the store now. @throws Fault NOT_FOUND */
    integrity: (asking: ContractRequest): Integrity => {
      const { row } = findContract(reader, asking, { role: 'none', inPerson: false })
      const { definition } = contracts.version(row.id, row.version_no)
      const live = digest(purposes.contract, definition)
      const { id, version_no, version } = row
      return { id, version_no, stored: version, live, equal: live === version, version }
    },
  }
}
