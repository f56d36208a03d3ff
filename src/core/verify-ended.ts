/** How a step ends other than well. `unasked` is a choice, `unable` leaves the verification unchecked. */
export class Ended extends Error {
  readonly how: 'failed' | 'unasked' | 'unable'
  constructor(how: 'failed' | 'unasked' | 'unable', why: string) {
    super(why)
    this.how = how
  }
}

/** Ends a step: something does not hold. */
export const fail = (why: string): never => {
  throw new Ended('failed', why)
}
/** Ends a step that cannot be taken. */
export const unable = (why: string): never => {
  throw new Ended('unable', why)
}
