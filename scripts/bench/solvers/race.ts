import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Peer, Round } from './frame.ts'
import { missingOf } from './packages.ts'

/** Milliseconds that the counted runs of one peer may take together; a slower one is run once. */
const PEER_MS_MAX = 10_000
/** Rounds of a row where none are asked for: as many as fill some seconds, so that quick rows are told as surely. */
const [ROUNDS_LEAST, ROUNDS_MOST] = [5, 41]
const ROW_MS = 4_000

/** One peer beside us: run by run, its milliseconds and ours. */
export interface Pairing {
  readonly name: string
  readonly kind: Peer['kind']
  readonly ms: readonly number[]
  readonly ours: readonly number[]
  readonly said: string
}

/** Somebody who has no row, and why. */
export interface Absence {
  readonly name: string
  readonly why: string
}

/** What came of one problem. */
export interface Standing {
  readonly solver: string
  readonly problem: string
  /** Milliseconds of all our runs, and how accurate the last one was. */
  readonly ours: { readonly ms: readonly number[]; readonly said: string }
  readonly pairings: readonly Pairing[]
  /** Peers that are not installed here. */
  readonly skipped: readonly Absence[]
  /** Whoever broke, ourselves included. */
  readonly failed: readonly Absence[]
}

interface Entrant {
  readonly peer: Peer
  readonly round: () => Promise<Round>
  /** Its first run: it warms what the peer reads, and counts only where it stays the only one. */
  readonly first: Round
  /** Counted rounds to come. */
  readonly rounds: number
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).trim()

/** How many rounds a race has: so many, or as fit whoever races. */
interface Racing {
  readonly rounds?: number | undefined
  /** An empty one, for what the peers write. */
  readonly folder: string
}

/** @param oursMs a round of ours by the clock. */
const enter = async (peer: Peer, { rounds, folder }: Racing, oursMs: number): Promise<Entrant> => {
  const round = await peer.prepare(folder)
  const from = performance.now()
  const first = await round()
  const its = performance.now() - from
  const affordable = Math.floor(PEER_MS_MAX / its)
  const filling = Math.min(Math.max(Math.ceil(ROW_MS / (its + oursMs)), ROUNDS_LEAST), ROUNDS_MOST)
  return { peer, round, first, rounds: affordable > 1 ? Math.min(rounds ?? filling, affordable) : 0 }
}

/** One problem's runs, as they come in. */
const book = (it: Case) => {
  const [skipped, failed, ms]: [Absence[], Absence[], number[]] = [[], [], []]
  const pairings = new Map<Peer, { ms: number[]; ours: number[]; said: string }>()
  let said = ''
  return {
    skipped,
    failed,
    /** A run of ours. @returns its milliseconds. */
    own: (): number => {
      const round = it.ours()
      said = round.said
      ms.push(round.ms)
      return round.ms
    },
    pair: (peer: Peer, round: Round, ours: number): void => {
      const held = pairings.get(peer) ?? { ms: [], ours: [], said: '' }
      held.ms.push(round.ms)
      held.ours.push(ours)
      pairings.set(peer, { ...held, said: round.said })
    },
    /** A peer that breaks has no row; one whose packages are missing did not break. */
    broke: async (peer: Peer, error: unknown): Promise<void> => {
      pairings.delete(peer)
      const missing = await missingOf(peer.packages)
      const { name } = peer
      if (missing.length > 0) skipped.push({ name, why: `not installed: ${missing.join(', ')}` })
      else failed.push({ name, why: reasonOf(error) })
    },
    standing: (): Standing => ({
      solver: it.solver,
      problem: it.problem,
      ours: { ms, said },
      pairings: [...pairings].map(([{ name, kind }, held]) => ({ name, kind, ...held })),
      skipped,
      failed,
    }),
  }
}

/**
 * Everybody who solves one problem, in turn round by round: what else the machine does then falls on all alike. A
 * solver or a peer that breaks is named, and costs nobody else a row.
 */
export const race = async (it: Case, { rounds, folder }: Racing): Promise<Standing> => {
  const { own, pair, broke, failed, standing } = book(it)
  try {
    // The first of ours is compiled as it runs; the second says how long one is. Neither counts.
    it.ours()
    const from = performance.now()
    it.ours()
    const oursMs = performance.now() - from
    let entrants: readonly Entrant[] = []
    for (const [i, peer] of it.peers.entries()) {
      try {
        const entrant = await enter(peer, { rounds, folder: mkdtempSync(join(folder, `${i}-`)) }, oursMs)
        entrants = [...entrants, entrant]
        if (entrant.rounds === 0) pair(peer, entrant.first, own())
      } catch (error) {
        await broke(peer, error)
      }
    }
    const most =
      entrants.length === 0 ? (rounds ?? ROUNDS_LEAST) : Math.max(...entrants.map((entrant) => entrant.rounds))
    for (let round = 0; round < most; round++) {
      const ours = own()
      for (const { peer, round: next } of entrants.filter((entrant) => round < entrant.rounds)) {
        try {
          pair(peer, await next(), ours)
        } catch (error) {
          entrants = entrants.filter((entrant) => entrant.peer !== peer)
          await broke(peer, error)
        }
      }
    }
  } catch (error) {
    failed.push({ name: 'tickmesh', why: reasonOf(error) })
  }
  return standing()
}
