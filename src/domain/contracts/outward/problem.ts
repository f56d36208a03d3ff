/**
 * Why a call outward came to nothing. refused: the address is none that this node calls. unreachable: no connection, or
 * it broke. late: it took too long. redirected: it led elsewhere. too-large: there is more than is taken. status: the
 * other side said no. unreadable: it is no JSON in UTF-8. absent: nothing stands at that place, or no single value.
 * secret: a secret is not there, or fits no header. stopped: the node stops.
 */
export type OutwardReason =
  | 'refused'
  | 'unreachable'
  | 'late'
  | 'redirected'
  | 'too-large'
  | 'status'
  | 'unreadable'
  | 'absent'
  | 'secret'
  | 'stopped'

/** A call outward that came to nothing. Its message names neither what was sent nor what was answered. */
export class OutwardProblem extends Error {
  override readonly name = 'OutwardProblem'
  readonly reason: OutwardReason
  /** Of the answer, where there was one. */
  readonly status: number | undefined

  constructor(reason: OutwardReason, message: string, status?: number) {
    super(message)
    this.reason = reason
    this.status = status
  }
}
