import type { Moment } from '#core/clock.ts'
import { errorNumber } from '#core/mmio/error-code.ts'
import { type RegisterValue, wordOf } from '#core/mmio/page.ts'
import { LAYOUT_VERSION, modeValues, pageRegisters, registerIn } from '#core/mmio/table.ts'
import { meshTickStart, TICK_NS } from '#core/tick.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { NodeTally } from '#domain/compute/tally.ts'
import type { Contribution } from '#domain/network/contribution/types.ts'
import type { Disputes } from '#domain/network/disputes/types.ts'
import type { Network } from '#domain/network/types.ts'
import type { Works } from '#domain/network/works/service.ts'
import { modulated } from '#numerics/runtime/modulation.ts'
import { endOf } from '#store/bonds.ts'
import { cosignaturesAt } from '#store/cosigned.ts'
import type { Store } from '#store/store.ts'
import type { RequestWords } from './requests.ts'

/** What a page is read from. */
export interface RegisterSources {
  readonly store: Store
  /** The machine's monotonic clock, in nanoseconds. */
  readonly monotonic: () => bigint
  /** Where the node stands in its life. */
  readonly life: () => 'starting' | 'running' | 'stopping'
  /** The identity of the owner. */
  readonly ownerZid: string
  readonly tally: Pick<NodeTally, 'now'>
  readonly compute: Pick<Compute, 'load'>
  readonly contribution: Pick<Contribution, 'mode'>
  readonly disputes: Pick<Disputes, 'ownWorks'>
  readonly network: Pick<Network, 'connected'>
  readonly works: { readonly worker: Pick<Works['worker'], 'taken'> }
}

/** The moment and the words that a page is written with. */
export interface PageMoment {
  readonly moment: Moment
  readonly status: number
  readonly acknowledged: number
  readonly requests: RequestWords
  /** SHA-256 of the table, hex. */
  readonly layoutDigest: string
}

const states = registerIn(pageRegisters, 'state').bits ?? []
const bondStates = registerIn(pageRegisters, 'bond_state').values ?? []
const LOW_HALF = 0x1_0000_0000

const stateWord = ({ store, life }: RegisterSources): number => {
  const set: Readonly<Record<string, boolean>> = {
    ready: life() === 'running',
    clock_behind: store.clockBehind,
    held: store.held !== undefined,
    stopping: life() === 'stopping',
    store_failed: store.failure !== undefined,
  }
  return wordOf(
    states.filter((it) => set[it]),
    states,
  )
}

interface BondWords {
  readonly bond_count: number
  readonly bond_state: number
  readonly unlocks_at: number
}

/** The node's bond, if it has one. */
const bondWords = ({ store }: RegisterSources): BondWords => {
  const name = store.peek('contribution', 'own')?.bond
  const own = name == null ? undefined : store.peek('ownBond', name)
  const row = name == null ? undefined : store.peek('bond', name)
  if (name == null || own?.state !== 'held' || row === undefined) return { bond_count: 0, bond_state: 0, unlocks_at: 0 }
  const state = row.fallen !== null ? 'withheld' : row.released !== null ? 'released' : 'bonded'
  return {
    bond_count: own.locks.reduce((sum, { op }) => sum + op.count, 0),
    bond_state: bondStates.indexOf(state),
    unlocks_at: state === 'released' ? endOf(row, store.peek('bondLoad', name), row.released?.at ?? 0) : 0,
  }
}

/** Registers of the page that its writer puts there itself. */
export const writersOwn = ['seqlock', 'crc'] as const

/** What of a node stands in its page, by the name of the register. */
export const valuesOf = (sources: RegisterSources, turn: PageMoment): Readonly<Record<string, RegisterValue>> => {
  const { store, compute, contribution, disputes, network, works, ownerZid, monotonic } = sources
  const { moment, requests } = turn
  const { log, genesisMeshTick } = store
  const load = compute.load()
  const tally = sources.tally.now
  const { checkpoint } = log
  return {
    layout_version: LAYOUT_VERSION,
    magic: registerIn(pageRegisters, 'magic').reset as string,
    layout_digest: turn.layoutDigest,
    genesis_ns: meshTickStart(genesisMeshTick),
    genesis_tick: genesisMeshTick,
    tick: moment.tick,
    mesh_tick: moment.meshTick,
    tick_ns: TICK_NS,
    phase: moment.phase,
    r_t: modulated(1, moment.phase),
    monotonic_ns: monotonic(),
    state: stateWord(sources),
    mode: modeValues.indexOf(contribution.mode),
    peers: network.connected().length,
    witnesses: checkpoint === undefined ? 0 : cosignaturesAt(store, log.name, checkpoint.size).length,
    jobs_running: load.jobs.get('running') ?? 0,
    jobs_waiting: load.waiting,
    work_running: works.worker.taken().filter(({ state }) => state === 'running').length,
    disputes_open: disputes.ownWorks.open,
    queue_heat: load.waitingMax === 0 ? 0 : load.waiting / load.waitingMax,
    seals: tally.seals,
    refusals: tally.refusals,
    checkpoints: tally.checkpoints,
    log_size: log.size,
    log_root: checkpoint?.root ?? '',
    last_seal: tally.last_seal ?? '',
    last_result: tally.last_result ?? '',
    credits_free: store.balance('free', ownerZid),
    credits_paid: store.balance('paid', ownerZid),
    coins: store.balance('coin', ownerZid),
    ...bondWords(sources),
    zid: ownerZid,
    irq_status: turn.status,
    irq_acked: turn.acknowledged,
    error: errorNumber(requests.error),
    error_tick_low: requests.errorTick % LOW_HALF,
    doorbell_done: requests.done,
    requests: requests.requests,
  }
}
