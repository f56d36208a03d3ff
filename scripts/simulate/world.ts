import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { assertPlace, assertProves, readChallenge } from '#core/dispute/challenge.ts'
import type { Rules } from '#core/dispute/rules.ts'
import { readReveal, readRuling, readWithheld } from '#core/dispute/statements.ts'
import type { AcceptedTerms, BondedSpan, DisputedWork, DisputeEvent, EventTime } from '#core/dispute/types.ts'
import { type EventName, eventBytes, eventId, type MeshEvent, parseEvent, signEvent } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { happenedBy } from '#core/when.ts'
import type { WorkPlace, WorksPublished } from '#core/work/published.ts'
import type { ContributedWork } from '#core/work/work.ts'
import { hmacSha256 } from '#crypto'
import type { Chance } from './chance.ts'
import type { TinyJob, TinyRun } from './compute.ts'
import type { Home, SimBond } from './ledger.ts'
import type { Agenda, Network } from './network.ts'
import { isHonest, type Party } from './party.ts'

/** What is asked of a simulation. */
export interface Asked {
  readonly nodes: number
  readonly jobs: number
  /** Share of nodes that cheat. */
  readonly cheats: number
  readonly seed: number
  readonly mode: 'safety' | 'liveness'
  /** Segments of a job that steps. */
  readonly segments: number
  readonly rules: Rules
}

/** Ticks until a witness cosigns what was pushed to it. */
const COSIGN_TICKS_MAX = 4

/** A lasting event with what decides its time. */
export interface Told {
  readonly event: MeshEvent
  readonly id: string
  /** Events that it names: it is not before them. */
  readonly named: readonly Told[]
  /** Virtual tick of the first cosignature; undefined in a world without witnesses. */
  readonly cosigned: number | undefined
}

/** A published work with everything that is known of it, true or claimed. */
export interface SimWork {
  readonly key: string
  readonly told: Told
  readonly index: number
  readonly path: readonly string[]
  readonly requester: Party
  readonly worker: Party
  readonly work: ContributedWork
  readonly digest: string
  readonly offerDigest: string
  readonly terms: AcceptedTerms
  readonly job: TinyJob
  readonly run: TinyRun
  /** When the worker gave the result. */
  readonly resultAt: number
  readonly bond: SimBond
  /** Events about it, as sync from whoever has them gives them. */
  readonly said: Told[]
  /** Nodes that follow it: sides, pool, homes, and whoever disputes it. */
  readonly followers: Set<number>
  /** Whether the requester took it. */
  readonly accepted: boolean
  /** Whether requester or worker give its data away when asked. */
  readonly served: boolean
}

/** A challenge that was made, by whom and how. */
export interface SimChallenge {
  readonly told: Told
  readonly by: Party
  readonly work: SimWork
  /** Bytes of the state that the challenger supplies; undefined where none is needed. */
  readonly before: Uint8Array | undefined
  /** Whether it is true: the worker's run is wrong there. */
  readonly isTrue: boolean
  /** Whether its author gives what a check needs. */
  readonly served: boolean
}

/** What a node knows and has done. */
export interface SimNode {
  readonly party: Party
  /** Ids of events, in the order in which they came. */
  readonly known: Map<string, Told>
  readonly works: Map<string, SimWork>
  readonly checks: Map<string, DisputeEvent>
  /** Challenges that it has answered, ruled or looked for. */
  readonly done: Set<string>
  /** Workers that it will not ask again. */
  readonly barred: Set<string>
  seq: number
  wakeAt: number
}

/** Counts of what happened. */
export interface Costs {
  execution: number
  samples: number
  audits: number
  checks: number
}

/** A simulated mesh. */
export interface World {
  readonly asked: Asked
  readonly chance: Chance
  readonly agenda: Agenda
  readonly network: Network
  readonly witnesses: boolean
  readonly parties: readonly Party[]
  readonly byNode: ReadonlyMap<string, Party>
  readonly nodes: readonly SimNode[]
  readonly homes: readonly Home[]
  readonly bonds: ReadonlyMap<number, SimBond>
  readonly bonded: BondedSpan[]
  readonly owners: readonly { readonly node: string; readonly zid: string }[]
  readonly works: Map<string, SimWork>
  readonly challenges: Map<string, SimChallenge>
  /** Mesh tick at which a node said that it leaves, by bond. */
  readonly released: Map<string, number>
  readonly costs: { readonly steps: Costs; readonly whole: Costs }
  readonly violations: { readonly invariant: string; readonly detail: string }[]
  readonly rightWhole: Map<number, number>
}

/** Says that an invariant does not hold; the run ends with it. */
export const violate = (world: World, invariant: string, detail: string): void => {
  world.violations.push({ invariant, detail: `tick ${world.agenda.now}: ${detail}` })
}

/** A node's own clock, as a mesh tick. */
export const clockOf = (world: World, { skew }: Party): number => world.agenda.now + skew

/** A secret of a node, which it can work out again after it lost its disk. */
export const secretOf = ({ seed }: Party, what: string): string =>
  toHex(hmacSha256(seed, new TextEncoder().encode(what)))

/** Signs an event in its author's log, and lets a witness see it. */
export const tell = (
  world: World,
  party: Party,
  said: {
    readonly type: EventName
    readonly payload: Json
    readonly named?: readonly Told[]
    readonly backdate?: number
  },
): Told => {
  const node = world.nodes[party.index] as SimNode
  const tick = clockOf(world, party) - (said.backdate ?? 0)
  const event = signEvent(party.seed, {
    ...{ v: 1, type: said.type, sourceNodeId: party.node, seq: node.seq, tick, payload: said.payload },
  })
  node.seq += 1
  const cosigned = world.witnesses ? world.agenda.now + world.chance.integer(1, COSIGN_TICKS_MAX) : undefined
  return { event, id: eventId(event), named: said.named ?? [], cosigned }
}

/** When an event happened, as it can be said at a virtual tick (protocol.md, When). */
export const whenOf = ({ event, named, cosigned }: Told, now: number): EventTime | 'pending' =>
  happenedBy({
    tick: event.tick,
    named: named.map((it) => whenOf(it, now)),
    first: cosigned === undefined || cosigned > now ? undefined : cosigned,
    witnesses: cosigned !== undefined,
  })

const entered = new WeakMap<Told, DisputeEvent | null>()

const readPayload = (world: World, { id, event }: Told): DisputeEvent | null => {
  const common = { id, author: event.sourceNodeId, seq: event.seq, when: 'pending' as const }
  switch (event.type) {
    case 'challenge': {
      const { challenge } = readChallenge(event.payload, event.sourceNodeId)
      const work = [...world.works.values()].find(
        ({ told, index }) => told.id === challenge.place.event && index === challenge.place.index,
      )
      if (work === undefined) return null
      assertPlace(challenge.place, work.told.event.payload as unknown as WorksPublished)
      assertProves(challenge, work.work, work.job.inputs)
      return { ...common, type: 'challenge', payload: challenge }
    }
    case 'reveal':
      return { ...common, type: 'reveal', payload: readReveal(event.payload) }
    case 'ruling':
      return { ...common, type: 'ruling', payload: readRuling(event.payload, event.sourceNodeId).ruling }
    case 'withheld':
      return { ...common, type: 'withheld', payload: readWithheld(event.payload) }
    default:
      return null
  }
}

/**
 * What a node reads of an event's bytes, in the order of event.md: form and signature, then the payload's own. It is
 * the same for all nodes, so it is done once. @returns null for what is dropped, or is not about disputes
 */
export const enter = (world: World, told: Told): DisputeEvent | null => {
  const before = entered.get(told)
  if (before !== undefined) return before
  let read: DisputeEvent | null = null
  try {
    parseEvent(eventBytes(told.event))
    read = readPayload(world, told)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
  }
  entered.set(told, read)
  return read
}

/** How a work stands in the fold of a node. */
export const disputedWork = (
  { told, index, requester, worker, digest, terms }: SimWork,
  now: number,
): DisputedWork => ({
  ...{
    event: told.id,
    index,
    requester: requester.node,
    worker: worker.node,
    work: digest,
    when: whenOf(told, now),
    terms,
  },
})

/** The place of a work, as challenges name it. */
export const placeOf = ({ told, index, worker, digest, path }: SimWork): WorkPlace => ({
  ...{ event: told.id, index, worker: worker.node, work: digest, path: [...path] },
})

/** Whether what a work claims is wrong. */
export const isWrong = ({ run }: SimWork): boolean => run.wrong.length > 0

/** Honest nodes of a world. */
export const honestNodes = ({ nodes }: World): readonly SimNode[] => nodes.filter(({ party }) => isHonest(party))
