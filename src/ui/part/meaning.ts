import { stepTitle } from '#core/step-titles.ts'

const ALTERED = 'This file is not what was sealed'

/** What it means when a step does not hold: those of a receipt, then of token receipts, chains, logs, trajectories. */
const failures: Readonly<Record<string, string>> = {
  form: 'This is no receipt that this verifier reads: the file was cut off or changed, or it is something else.',
  key: 'Somebody else signed this: the receipt is not from the node whose key you gave.',
  signature: 'Something in the signed statement was changed after the node signed it, or that node never signed it.',
  token: 'The receipt goes by a token that belongs to another place of the log.',
  receipt: `${ALTERED}: its time stamp was changed.`,
  equations: `${ALTERED}: the equations shown with it are not those of the run.`,
  agreement: 'The receipt contradicts itself: two of its parts say different things.',
  precision: 'The error is larger than a sealed result may have, or it is not the one that was measured.',
  price: 'The price is not that of the operators that were used.',
  inputs: `${ALTERED}: the inputs were changed. The result belongs to other inputs.`,
  question: `${ALTERED}: the question was changed, or how it was read.`,
  result: `${ALTERED}: a number of the result was changed.`,
  checkpoint: 'The node’s signature under its log does not hold for what this file shows of it.',
  inclusion: 'The receipt is not in the log that the node signed, or not in the place that it names.',
  quorum: 'Too few of the witnesses that you ask for have signed this log.',
  replay: 'The node signed a result that its own program does not give. Do not rely on it, and keep the file.',
  op: `${ALTERED}: the order was changed after its owner signed it, or somebody else signed it.`,
  list: 'The tokens shown are not those that the order is about.',
  applied: 'The receipt is not of this order, or the order was not valid then.',
  home: 'The node that signed is not the one that minted these tokens: its word about them counts for nothing.',
  chain: 'An entry was changed, taken out or put in: the hashes no longer link.',
  entry: 'What is shown is not what was hashed.',
  identity: 'It belongs to the chain of another machine.',
  head: 'The chain does not end where the node signed that it ends.',
  leaf: 'The log holds another hash at this place than the node says.',
  older: 'The node’s signature under the earlier checkpoint does not hold.',
  newer: 'The node’s signature under the later checkpoint does not hold.',
  consistency: 'The later log does not continue the earlier one: something was taken back or altered.',
  digests: 'A state or its error was changed: the digests no longer link.',
  errors: 'The errors of the steps come to more than may be sealed.',
  entries: 'The chain of the machine says something else, or nothing.',
}

/** What it means when a step does not hold; undefined for one that always does, or that speaks for itself. */
export const failureOf = (step: string): string | undefined =>
  Object.hasOwn(failures, step) ? failures[step] : undefined

/** A step's name in everyday words; the name itself for one that speaks for itself. */
export const titleOf = stepTitle

/** What a verdict means for whoever holds the file. */
export const outcomeMeaning = {
  verified: 'The node whose key you gave signed exactly this, it stands in its log, and nothing was changed since.',
  failed: '',
  withdrawn: 'It is genuine, and what it says is known to be wrong by now. Use the successor that is named.',
  unchecked: 'Nothing was found wrong, but some steps could not be looked at; they are marked below.',
} as const
