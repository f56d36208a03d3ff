import type { EnvelopeSummary } from '#ui/server/answer.ts'

/** Where an envelope stands: a word for it, and what that means. */
const states = {
  promised: { word: 'signed', means: 'its place in the log is confirmed with the next tick' },
  sealed: { word: 'in the log', means: 'a signed checkpoint of the log covers it' },
  final: { word: 'final', means: 'in the log for a whole tick and more' },
} as const

/** What a state means, in a clause. */
export const stateMeaning = (state: EnvelopeSummary['state']): string => states[state].means

/** Where an envelope stands, in a word. */
export const StateBadge = ({ state }: { readonly state: EnvelopeSummary['state'] }) => (
  <span class={`badge ${state}`} data-state={state} title={states[state].means}>
    {states[state].word}
  </span>
)
