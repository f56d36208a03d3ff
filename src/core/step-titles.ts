/** Steps in everyday words, for people who do not know the format; a step that is not here speaks for itself. */
const titles: Readonly<Record<string, string>> = {
  form: 'readable file',
  key: 'trusted node',
  token: 'number of its place',
  receipt: 'time stamp',
  agreement: 'parts that say the same',
  precision: 'measured error',
  checkpoint: 'log',
  inclusion: 'place in the log',
  quorum: 'witnesses',
  replay: 'run again',
  entry: 'what it says',
  identity: 'whose chain it is',
  head: 'newest entry',
  op: 'order to move',
  list: 'list of tokens',
  applied: 'what was applied',
  home: 'home of the tokens',
  tiles: 'pieces of the log',
  leaf: 'hash of the leaf',
  older: 'earlier checkpoint',
  newer: 'later checkpoint',
  consistency: 'growth of the log',
  digests: 'states that follow',
  errors: 'errors added up',
  entries: 'what the chain says',
  calls: 'all of its calls',
  outcomes: 'what came of them',
  envelopes: 'receipts of its calls',
  order: 'opened before it ran',
}

/** What a step of a verification is about, in everyday words; the step's own name where it says that. */
export const stepTitle = (step: string): string => (Object.hasOwn(titles, step) ? (titles[step] ?? step) : step)

/** The same beside the name that every verifier gives the step: what documents call it. */
export const namedStep = (step: string): string => {
  const title = stepTitle(step)
  return title === step ? step : `${title} (${step})`
}
