/** The steps of a verification, in the order in which they are taken. */
export const stepNames = [
  'form',
  'key',
  'signature',
  'token',
  'receipt',
  'equations',
  'agreement',
  'precision',
  'price',
  'inputs',
  'question',
  'result',
  'worker',
  'assurance',
  'checkpoint',
  'inclusion',
  'quorum',
  'replay',
] as const
export type StepName = (typeof stepNames)[number]

export interface VerifyStep {
  readonly step: StepName
  readonly state: 'ok' | 'failed' | 'skipped'
  /** A sentence: what was found, what does not hold, or why it was not looked at. */
  readonly detail: string
}
