import { HOUSE } from '#core/ids.ts'
import type { SignedOp } from '#core/token/op.ts'
import type { Bond } from '#core/work/bond.ts'
import { unlocksAt } from '#core/work/exposure.ts'
import type { Mode } from '#core/work/mode.ts'
import type { EnvelopeRow } from './rows/envelope.ts'

/** A home's word that it withheld its part of a bond. It is no proof: a node believes its own check alone. */
export interface WithheldSaid {
  readonly home: string
  readonly challenge: string
  readonly ruling: string | null
}

/** What the events of any node come to, about one bond. */
export interface BondRow extends Bond {
  /** Node id of its author. */
  readonly author: string
  /** Index of its event in the author's event log. */
  readonly seq: number
  /** The event's own mesh tick. */
  readonly at: number
  /** When its release was said, and from when on its locks may end: that may move later, never earlier. */
  readonly released: {
    readonly at: number
    readonly unlocks_at: number
    /** The end as its author said it last: what became known since may have moved it. */
    readonly told: number
  } | null
  /** Homes that say they withheld it, one statement each. */
  readonly said: readonly WithheldSaid[]
  /** This node's own check: it ran the challenged segment and got the challenger's digest. */
  readonly fallen: { readonly challenge: string; readonly ruling: string | null; readonly mesh_tick: number } | null
}

/** Bonds whose events are kept; beyond this a stranger's is not taken in. */
export const BONDS_MAX = 65_536

/** What a bond answers for, as far as its lock needs it. */
export interface BondLoadRow {
  /** Mesh tick of the last result under it, or of its publication, if that is later; 0 before the first. */
  readonly last: number
  /** Until when disputes over works under it can last at most; 0 while there was none. */
  readonly until: number
}

/** This node's own record of contributed works. */
export interface WorkRecordRow {
  readonly done: number
  readonly audited: number
  readonly right: number
  readonly wrong: number
  readonly unavailable: number
}

/**
 * A bond of this node. `locking`: its ops are signed and may not all be applied. `undoing`: one of them was refused,
 * and what was locked is let go. `held`: all locks stand and its event is in the log. `over`: its locks are gone.
 */
export interface OwnBondRow {
  readonly state: 'locking' | 'undoing' | 'held' | 'over'
  /** 16 random bytes, hex, of which its name follows. */
  readonly random: string
  /** The account that owns its tokens. */
  readonly zid: string
  /** The lock of each home, as it was signed before anything was applied. */
  readonly locks: readonly SignedOp[]
  /** What ends each of them, once it was signed; null for one that never was applied. */
  readonly unlocks: readonly (SignedOp | null)[] | null
}

/** This node as a contributor. */
export interface ContributionRow {
  readonly mode: Mode
  /** Mesh tick since when. */
  readonly since: number
  /** Its bond that is not over, by name. */
  readonly bond: string | null
}

/** A part of a bond whose home is here, and that this home withheld. */
export interface WithheldRow {
  readonly challenge: string
  readonly ruling: string | null
  readonly mesh_tick: number
  /** What left each account, by its name. */
  readonly coins: Readonly<Record<string, number>>
}

/** What a bond's tokens are locked for: {@link SignedOp} has it as `ref`, a row's lock without the kind. */
export const bondRef = (name: string): string => `bond:${name}`

/** What a withheld row's lock names: the ruling, or the challenge that this node checked without one. */
export const fallenRef = ({ challenge, ruling }: Pick<WithheldRow, 'challenge' | 'ruling'>): string =>
  ruling ?? challenge

/** Whose account has the coin of a token: its owner's, or for one paid with free credits the house's. */
export const coinKeeper = ({ soulbound, listed_under }: Pick<EnvelopeRow, 'soulbound' | 'listed_under'>): string =>
  soulbound ? HOUSE : listed_under

/** The end of a bond's locks, by what is known of works and disputes: as it was said, or later. */
export const endOf = (row: BondRow, load: BondLoadRow | undefined, released: number): number => {
  const { last = 0, until = 0 } = load ?? {}
  const works = last === 0 ? [] : [{ result: last, published: undefined }]
  const end = unlocksAt({ released, works, disputesUntil: until === 0 ? [] : [until] })
  return Math.max(end, row.released?.unlocks_at ?? 0)
}

interface Reads {
  get(table: 'bond', key: string): BondRow | undefined
  get(table: 'ownBond', key: string): OwnBondRow | undefined
}

/**
 * Whether a bond's lock may end at a mesh tick (trust.md, Release): it was released and its time is over, or it never
 * came to be. Nothing else ends one.
 */
export const bondEnds = (rows: Reads, name: string, meshTick: number): boolean => {
  if (rows.get('ownBond', name)?.state === 'undoing') return true
  const row = rows.get('bond', name)
  return row?.fallen === null && row.released !== null && row.released.unlocks_at <= meshTick
}

/** Bonds of this node and of others, and this node as a contributor. */
export interface BondRows {
  readonly bond: BondRow
  readonly bondCount: number
  readonly bondLoad: BondLoadRow
  readonly ownBond: OwnBondRow
  readonly bondDraft: Uint8Array
  readonly contribution: ContributionRow
  readonly workRecord: WorkRecordRow
  readonly withheld: WithheldRow
}
