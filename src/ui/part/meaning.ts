/** What a step of a verification is about, for people who do not know the format. */
export interface StepMeaning {
  /** Its name in everyday words. */
  readonly title: string
  /** What it means when it does not hold. */
  readonly failed: string
}

const ALTERED = 'This file is not what was sealed'

/** By the name of the step: of a receipt, then what a token's receipt and a machine's chain have of their own. */
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
  token: { title: 'token', failed: 'The receipt goes by a token that belongs to another place of the log.' },
  receipt: { title: 'time stamp', failed: `${ALTERED}: its time stamp was changed.` },
  equations: { title: 'equations', failed: `${ALTERED}: the equations shown with it are not those of the run.` },
  agreement: { title: 'agreement', failed: 'The receipt contradicts itself: two of its parts say different things.' },
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
}

/** What a step means; undefined for one that speaks for itself. */
export const meaningOf = (step: string): StepMeaning | undefined =>
  Object.hasOwn(meanings, step) ? meanings[step] : undefined

/** What a verdict means for whoever holds the file. */
export const outcomeMeaning = {
  verified: 'The node whose key you gave signed exactly this, it stands in its log, and nothing was changed since.',
  failed: '',
  withdrawn: 'It is genuine, and what it says is known to be wrong by now. Use the successor that is named.',
  unchecked: 'Nothing was found wrong, but some steps could not be looked at; they are marked below.',
} as const
