/** What a step of a verification is about, for people who do not know the format. */
export interface StepMeaning {
  /** Its name in everyday words. */
  readonly title: string
  /** What it means when it does not hold; left out where it always does. */
  readonly failed?: string
}

const ALTERED = 'This file is not what was sealed'

/** By the name of the step: of a receipt, then what token receipts, chains, logs and trajectories have of their own. */
const meanings: Readonly<Record<string, StepMeaning>> = {
  form: {
    title: 'readable file',
    failed: 'This is no receipt that this verifier reads: the file was cut off or changed, or it is something else.',
  },
  key: {
    title: 'trusted node',
    failed: 'Somebody else signed this: the receipt is not from the node whose key you gave.',
  },
  signature: {
    title: 'signature',
    failed: 'Something in the signed statement was changed after the node signed it, or that node never signed it.',
  },
  token: {
    title: 'number of its place',
    failed: 'The receipt goes by a token that belongs to another place of the log.',
  },
  receipt: { title: 'time stamp', failed: `${ALTERED}: its time stamp was changed.` },
  equations: { title: 'equations', failed: `${ALTERED}: the equations shown with it are not those of the run.` },
  agreement: {
    title: 'parts that say the same',
    failed: 'The receipt contradicts itself: two of its parts say different things.',
  },
  precision: {
    title: 'measured error',
    failed: 'The error is larger than a sealed result may have, or it is not the one that was measured.',
  },
  price: { title: 'price', failed: 'The price is not that of the operators that were used.' },
  inputs: { title: 'inputs', failed: `${ALTERED}: the inputs were changed. The result belongs to other inputs.` },
  question: { title: 'question', failed: `${ALTERED}: the question was changed, or how it was read.` },
  result: { title: 'result', failed: `${ALTERED}: a number of the result was changed.` },
  checkpoint: {
    title: 'log',
    failed: 'The node’s signature under its log does not hold for what this file shows of it.',
  },
  inclusion: {
    title: 'place in the log',
    failed: 'The receipt is not in the log that the node signed, or not in the place that it names.',
  },
  quorum: { title: 'witnesses', failed: 'Too few of the witnesses that you ask for have signed this log.' },
  replay: {
    title: 'run again',
    failed: 'The node signed a result that its own program does not give. Do not rely on it, and keep the file.',
  },
  op: {
    title: 'order to move',
    failed: `${ALTERED}: the order was changed after its owner signed it, or somebody else signed it.`,
  },
  list: { title: 'list of tokens', failed: 'The tokens shown are not those that the order is about.' },
  applied: { title: 'what was applied', failed: 'The receipt is not of this order, or the order was not valid then.' },
  home: {
    title: 'home of the tokens',
    failed: 'The node that signed is not the one that minted these tokens: its word about them counts for nothing.',
  },
  chain: { title: 'chain', failed: 'An entry was changed, taken out or put in: the hashes no longer link.' },
  entry: { title: 'what it says', failed: 'What is shown is not what was hashed.' },
  identity: { title: 'whose chain it is', failed: 'It belongs to the chain of another machine.' },
  head: { title: 'newest entry', failed: 'The chain does not end where the node signed that it ends.' },
  tiles: { title: 'pieces of the log' },
  leaf: { title: 'hash of the leaf', failed: 'The log holds another hash at this place than the node says.' },
  older: { title: 'earlier checkpoint', failed: 'The node’s signature under the earlier checkpoint does not hold.' },
  newer: { title: 'later checkpoint', failed: 'The node’s signature under the later checkpoint does not hold.' },
  consistency: {
    title: 'growth of the log',
    failed: 'The later log does not continue the earlier one: something was taken back or altered.',
  },
  digests: { title: 'states that follow', failed: 'A state or its error was changed: the digests no longer link.' },
  errors: { title: 'errors added up', failed: 'The errors of the steps come to more than may be sealed.' },
  entries: { title: 'what the chain says', failed: 'The chain of the machine says something else, or nothing.' },
}

/** What a step means; undefined for one that speaks for itself. */
export const meaningOf = (step: string): StepMeaning | undefined =>
  Object.hasOwn(meanings, step) ? meanings[step] : undefined

/** A step's name in everyday words; the name itself for one that speaks for itself. */
export const titleOf = (step: string): string => meaningOf(step)?.title ?? step

/** What a verdict means for whoever holds the file. */
export const outcomeMeaning = {
  verified: 'The node whose key you gave signed exactly this, it stands in its log, and nothing was changed since.',
  failed: '',
  withdrawn: 'It is genuine, and what it says is known to be wrong by now. Use the successor that is named.',
  unchecked: 'Nothing was found wrong, but some steps could not be looked at; they are marked below.',
} as const
