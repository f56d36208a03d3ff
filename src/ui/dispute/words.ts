import type { Rechecked } from '#numerics/runtime/recheck.ts'
import type { ShownDispute } from './use-recheck.ts'

type Listed = Pick<ShownDispute, 'phase' | 'verdict' | 'segment' | 'kind' | 'refused' | 'end'>

const phaseWords: Readonly<Record<ShownDispute['phase'], string>> = {
  refused: 'opened no dispute',
  pending: 'waits for the time at which it was opened',
  documents: 'what was signed is not here yet',
  w: 'the worker owes its value of the draw',
  c: 'the challenger owes its value of the draw',
  duty: 'those who were drawn run it again',
  ended: 'over',
}

/** Where a dispute stands. */
export const phaseText = ({ phase, refused, end }: Listed): string => {
  if (phase === 'refused') return `${phaseWords.refused}: ${refused?.replaceAll('_', ' ') ?? ''}`
  return end === null ? phaseWords[phase] : `${phaseWords.ended}: ${end.how.replaceAll('_', ' ')}`
}

const verdictWords: Readonly<Record<string, string>> = {
  proven: 'this node ran it: the work is wrong',
  refuted: 'this node ran it: the work is right there',
  unchecked: 'this node has other code and cannot check it',
  not_reproducible: 'this node got neither digest',
  available: 'its data could be had',
  unavailable: 'its data could not be had',
}

/** What the node found for itself. */
export const verdictText = ({ verdict }: Listed): string =>
  verdict === null ? 'not checked here yet' : (verdictWords[verdict] ?? verdict.replaceAll('_', ' '))

/** Which part of the run is disputed. */
export const partText = ({ segment, kind }: Listed): string => {
  if (kind === 'unavailable') return 'its data'
  if (segment === 'init') return 'the first state'
  if (segment === 'finish') return 'the end: result and check'
  return segment === 'all' ? 'the whole run' : `segment ${segment}`
}

const stepWords: Readonly<Record<string, string>> = {
  published: 'published the work',
  challenged: 'challenged it',
  'revealed w': 'revealed its value of the draw',
  'revealed c': 'revealed its value of the draw',
  'ruled upheld': 'ran it again: the challenge is right',
  'ruled dismissed': 'ran it again: the work is right',
  'ruled not_reproducible': 'ran it again, and got neither digest',
  'ruled available': 'found the data',
  'ruled unavailable': 'did not find the data',
  reveal: 'has to reveal its value of the draw',
  rule: 'has to run it again and say what came',
  look: 'has to look for the data',
  check: 'has to check it for itself',
  challenge: 'may challenge the work itself now',
}

/** What happened, or is owed. */
export const stepText = (what: string): string => stepWords[what] ?? what.replaceAll('_', ' ')

/** What a check in this browser comes to. */
export const foundWords: Readonly<Record<Rechecked['outcome'], string>> = {
  upheld: 'The challenge is right: this browser got the bits of the challenger',
  dismissed: 'The work is right there: this browser got the bits of the worker',
  not_reproducible: 'This browser got the bits of neither',
  unchecked: 'This browser could not check it',
}
