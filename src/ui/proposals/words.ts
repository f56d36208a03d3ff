import type { ResultAt } from '#api/result-of.ts'

export type ShownProposal = ResultAt<'GET /api/community-operators'>['proposals'][number]
export type WholeProposal = ResultAt<'GET /api/community-operators/{id}'>
export type ShownStake = WholeProposal['stakes'][number]

/** Looks of a state among badges. */
export const stateClass: Readonly<Record<ShownProposal['state'], string>> = {
  draft: '',
  voting: 'promised',
  resolved: 'final',
  promoted: 'final',
  rejected: 'bad',
}

/** What a pass lacks. */
export const missingWords: Readonly<Record<ShownProposal['tally']['missing'][number], string>> = {
  zids: 'fewer than three stakers',
  weight: 'less than 100 credits of weight',
  majority: 'no more yes than no',
  homes: 'yes from fewer than two homes',
}

/** Why a stake does not count, or not yet. */
export const reasonWords: Readonly<Record<NonNullable<ShownStake['why']>, string>> = {
  lock_pending: 'waits until a checkpoint holds its lock',
  not_cosigned: 'no witness of the policy has signed for it yet',
  other_policy: 'the proposal goes by another mesh policy',
  outside_policy: 'its home is outside the mesh policy',
  superseded: 'the key of its home was superseded',
  evidence: 'there is proof against its home',
  home: 'its home is not whom it says',
  quorum: 'its lock was not seen by the quorum',
  lock_ends: 'its lock does not last until the close',
  too_late: 'it came after the close',
  voided: 'a token of it was spent twice',
  other_side: 'its ZID staked on the other side first',
  lock_counted: 'its lock was counted in another stake',
}

/** Whether a stake counts, in a word or two. */
export const countingWords: Readonly<Record<ShownStake['counting'], string>> = {
  yes: 'counts',
  pending: 'not yet',
  unwitnessed: 'counts, by its own word of when',
  no: 'does not count',
}

/** Whether a count passes, in a sentence. */
export const verdictText = ({ passed, missing }: ShownProposal['tally']): string =>
  passed ? 'It passes.' : `It does not pass: ${missing.map((it) => missingWords[it]).join(', ')}.`
