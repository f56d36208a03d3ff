import type { Json } from '#core/canonical.ts'
import type { FireReading } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { type Reader, reaches, standingOfZid } from '#domain/credentials/standing.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import type { Oracle } from '#numerics/contracts/definition/schema.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { EngineContext } from './types.ts'

/** Entries of a chain that an oracle looks back over for its event; what lies further back is stale. */
const LOOK_BACK_MAX = 256

const isScalar = (value: Json | undefined): value is Scalar => value !== undefined && typeof value !== 'object'

/** Whether a value is what an oracle declares. */
const fits = ({ type }: Oracle, value: Json | undefined): value is Scalar => {
  if (value === null) return false
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return typeof value === 'number'
  return isScalar(value) && typeof value === (type === 'text' ? 'string' : 'boolean')
}

/** Whether somebody may read the values of a machine: of a public one everybody, of another one its members. */
const isReadable = (source: Reader, reader: string, slug: string): boolean => {
  const machine = source.get('machine', slug)
  if (machine === undefined) return false
  return machine.is_public || reaches(standingOfZid(source, machine, reader), 'viewer')
}

type Found = Pick<FireReading, 'value' | 'tick' | 'source'> | undefined

/** Creates the reader of oracles that read what this node has itself. */
export const createLocalReadings = (context: Pick<EngineContext, 'store' | 'vault'>) => {
  const { store } = context

  const ofContract = (
    source: Reader,
    reader: string,
    { from, now }: { readonly from: Extract<Oracle['from'], { kind: 'contract' }>; readonly now: number },
  ): Found => {
    const other = source.get('contract', from.id)
    if (other === undefined || !isReadable(source, reader, other.slug)) return undefined
    const { context: members } = other.standing
    if (!Object.hasOwn(members, from.member)) return undefined
    return { value: members[from.member] ?? null, tick: now, source: `contract:${from.id}` }
  }

  const ofMachine = (source: Reader, reader: string, from: Extract<Oracle['from'], { kind: 'machine' }>): Found => {
    const { slug, event, field } = from
    if (!isReadable(source, reader, slug)) return undefined
    const size = source.get('machineHead', slug)?.size ?? 0
    for (let seq = size - 1; seq >= Math.max(0, size - LOOK_BACK_MAX); seq--) {
      const row = source.get('machineEntry', keyOf(slug, seqKey(seq)))
      const carried = row === undefined || row.entry.type !== 'event' ? undefined : eventOf(context, slug, row)
      if (row === undefined || carried?.name !== event || !Object.hasOwn(carried.data, field)) continue
      const tick = store.genesisMeshTick + row.entry.tick
      return { value: carried.data[field] as Scalar, tick, source: `machine:${slug}/${seq}` }
    }
    return undefined
  }

  /** A reading as it counts: what does not fit, or is too old unless an old one will do, is none. */
  const counted = (name: string, oracle: Oracle, found: Found, now: number): FireReading | undefined => {
    if (found === undefined || !fits(oracle, found.value)) return undefined
    if (now - found.tick > oracle.max_age && oracle.on_stale === 'refuse') return undefined
    return { oracle: name, ...found, basis: 'node' }
  }

  return {
    /**
     * What every oracle gives now, but those of urls.
     *
     * @param reader ZID of whoever answers for what is read: nothing that they may not see.
     */
    here: (
      source: Reader,
      reader: string,
      { oracles, now }: { readonly oracles: Readonly<Record<string, Oracle>>; readonly now: number },
    ): readonly FireReading[] =>
      Object.entries(oracles).flatMap(([name, oracle]): FireReading[] => {
        const { from } = oracle
        if (from.kind === 'url') return []
        const found =
          from.kind === 'contract' ? ofContract(source, reader, { from, now }) : ofMachine(source, reader, from)
        return [counted(name, oracle, found, now)].filter((it) => it !== undefined)
      }),
  }
}

/** The same with those that read urls. */
export const createReadings = (context: EngineContext) => {
  const { here } = createLocalReadings(context)
  return {
    /** Names of the oracles that read a url: what they give has to be waited for. */
    urls: ({ definition: { oracles } }: ReadyContract): readonly string[] =>
      Object.keys(oracles).filter((name) => oracles[name]?.from.kind === 'url'),
    /** What every oracle gives now, but those of urls, as far as the owner of the contract's machine may read. */
    here: (
      source: Reader,
      { slug }: ContractRow,
      { ready, now }: { ready: ReadyContract; now: number },
    ): readonly FireReading[] => {
      const owner = source.get('machine', slug)?.owner_zid
      return owner === undefined ? [] : here(source, owner, { oracles: ready.definition.oracles, now })
    },
    /** What the oracles of urls give. @throws the signal's reason */
    away: async (ready: ReadyContract, id: string, signal: AbortSignal): Promise<readonly FireReading[]> => {
      const names = Object.keys(ready.definition.oracles).filter(
        (name) => ready.definition.oracles[name]?.from.kind === 'url',
      )
      const found = await Promise.all(names.map((oracle) => context.outward.read({ contract: id, oracle }, signal)))
      return found.filter((it) => it !== undefined)
    },
  }
}

export type Readings = ReturnType<typeof createReadings>
