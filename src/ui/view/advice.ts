/** What a visitor can do about a refusal, by its code; what says it itself has no row. */
export const advice: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'The key or session is over. Sign in again under Settings.',
  SCOPE_REQUIRED: 'Whom this browser acts as does not reach so far. Sign in as somebody who does, under Settings.',
  NOT_FOUND: 'It does not exist, or it is private and this browser is no member.',
  INVALID_SLUG: 'Take small letters, digits and single hyphens, up to 64; some words are reserved.',
  SLUG_TAKEN: 'Choose another slug.',
  MACHINE_NOT_ACTIVE: 'An admin can make the machine active under its Settings.',
  UNKNOWN_ZID: 'Ask for the ZID: it stands under Settings of whoever it is.',
  NO_BLOCK_AT_TICK: 'The chain begins later, or has no such entry.',
  NODE_BUSY: 'The node has as much to do as it takes. It is asked again.',
  CLOCK_BEHIND: 'The clock of the node is behind its log; writing goes on when it has caught up.',
  NOT_CANONICAL: 'Write the JSON without what has no canonical form, such as lone surrogates.',
}
