import type { Chance } from './chance.ts'

/** Faults of one seed, drawn and not fixed: how often each thing goes wrong in this world. */
export interface Faults {
  readonly loss: number
  readonly twice: number
  /** Ticks that a message takes at most. */
  readonly delayMax: number
  /** Stretches in which one side does not hear the other; the other way may be open. */
  readonly cuts: readonly {
    readonly from: number
    readonly until: number
    readonly deaf: ReadonlySet<number>
    readonly to: ReadonlySet<number>
  }[]
  /** Stretches in which a node is away; whether its disk came back with it. */
  readonly away: readonly {
    readonly node: number
    readonly from: number
    readonly until: number
    readonly disk: boolean
  }[]
}

/** Ticks of the longest partition, of the longest absence, and between two rounds of sync. */
const CUT_TICKS_MAX = 300
const AWAY_TICKS_MAX = 200
export const SYNC_TICKS = 40
const LOSS_MAX = 0.3
const TWICE_MAX = 0.3
const DELAY_TICKS_MAX = 12
const CUTS_MAX = 3

/** Draws the faults of a world; none where it is to be calm. */
export const faultsOf = (chance: Chance, nodes: number, ticks: number): Faults => {
  const all = Array.from({ length: nodes }, (_, i) => i)
  const cut = () => {
    const from = chance.integer(0, ticks)
    const deaf = new Set(chance.some(all, chance.integer(1, Math.max(1, Math.floor(nodes / 2)))))
    const to = new Set(chance.some(all, chance.integer(1, nodes)))
    return { from, until: from + chance.integer(10, CUT_TICKS_MAX), deaf, to }
  }
  const absence = () => {
    const from = chance.integer(0, ticks)
    return { node: chance.pick(all), from, until: from + chance.integer(5, AWAY_TICKS_MAX), disk: chance.happens(0.7) }
  }
  return {
    loss: chance.next() * LOSS_MAX,
    twice: chance.next() * TWICE_MAX,
    delayMax: chance.integer(1, DELAY_TICKS_MAX),
    cuts: Array.from({ length: chance.integer(0, CUTS_MAX) }, cut),
    away: Array.from({ length: chance.integer(0, Math.ceil(nodes / 5)) }, absence),
  }
}

/** Tasks by virtual tick, those of one tick in the order in which they were asked for. */
export interface Agenda {
  /** Asks for a task; never before the present tick. */
  at(tick: number, task: () => void): void
  readonly now: number
  /** Runs everything up to a tick; false when nothing is left to run. */
  run(until: number): boolean
}

/** An agenda that begins at a tick. */
export const agendaFrom = (start: number): Agenda => {
  const tasks = new Map<number, (() => void)[]>()
  let now = start
  let last = start
  return {
    get now() {
      return now
    },
    at: (tick, task) => {
      const when = Math.max(tick, now)
      last = Math.max(last, when)
      const list = tasks.get(when)
      if (list === undefined) tasks.set(when, [task])
      else list.push(task)
    },
    run: (until) => {
      for (; now <= Math.min(until, last); now++) {
        const list = tasks.get(now)
        if (list === undefined) continue
        // A task may ask for another one in the same tick.
        for (let i = 0; i < list.length; i++) list[i]?.()
        tasks.delete(now)
      }
      now = Math.max(now, until)
      return now <= last
    },
  }
}

/** What carries messages between nodes, or loses, doubles and delays them. */
export interface Network {
  isAway(node: number): boolean
  /** Whether a word of one reaches the other now. */
  reaches(from: number, to: number): boolean
  /** Delivers by gossip, and by sync where that failed, until it is there. */
  deliver(from: number, to: number, take: () => void): void
  /** Ends all faults. */
  heal(): void
}

/** A network with these faults. */
export const networkOf = (agenda: Agenda, chance: Chance, faults: Faults): Network => {
  let healed = false
  const isAway = (node: number): boolean =>
    !healed && faults.away.some((it) => it.node === node && it.from <= agenda.now && agenda.now < it.until)
  const reaches = (from: number, to: number): boolean => {
    if (from === to) return !isAway(from)
    if (isAway(from) || isAway(to)) return false
    const { now } = agenda
    return healed || !faults.cuts.some((it) => it.from <= now && now < it.until && it.deaf.has(to) && it.to.has(from))
  }
  const attempt = (from: number, to: number, take: () => void): void => {
    const lost = !healed && chance.happens(faults.loss)
    if (!lost && reaches(from, to)) take()
    else agenda.at(agenda.now + chance.integer(1, SYNC_TICKS), () => attempt(from, to, take))
  }
  return {
    isAway,
    reaches,
    deliver: (from, to, take) => {
      const copies = !healed && chance.happens(faults.twice) ? 2 : 1
      for (let i = 0; i < copies; i++) {
        agenda.at(agenda.now + chance.integer(0, healed ? 1 : faults.delayMax), () => attempt(from, to, take))
      }
    },
    heal: () => {
      healed = true
    },
  }
}
