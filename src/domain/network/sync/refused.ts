/** Why a sync was given up, in one word each. */
export const refusals = [
  /** Not of the protocol's form: a frame that is not canonical, of another kind, or with something after its end. */
  'bad_frame',
  /** A frame larger than the protocol takes. */
  'oversized',
  /** More frames than were asked for or may be under way. */
  'overrun',
  /** This mesh is private and the other side does not know the secret; or the other way round. */
  'not_a_member',
  'private_mesh',
  /** It offers a note that the log it names did not sign. */
  'bad_note',
  /** It asks for what was not offered. */
  'bad_ask',
  /** A piece that does not continue the last one: leaves withheld, repeated or out of order. */
  'order',
  /** A piece that goes beyond the note it was asked under. */
  'extra',
  /** Leaves that do not hash to the root that the source signed: altered, reordered, left out. */
  'root',
  /** The stream ended before all that was offered had come. */
  'withheld',
  /** Nothing came in time. */
  'slow',
  /** Ranges were not acknowledged in time. */
  'unacknowledged',
  /** An acknowledgement of what was not sent. */
  'bad_ack',
  /** The source has signed two histories, and this one does not continue ours. */
  'forked',
  /** No room for another source. */
  'full',
  /** The stream broke. */
  'broken',
  /** A sync with this peer is under way, or it may not sync for a while. */
  'refused',
  /** This node could not write or is stopping. */
  'own',
] as const
export type SyncRefusal = (typeof refusals)[number]

/** What an honest peer can run into without being wrong. */
const blameless: ReadonlySet<SyncRefusal> = new Set<SyncRefusal>([
  'not_a_member',
  'private_mesh',
  'forked',
  'full',
  'broken',
  'refused',
  'own',
])

/** A sync that is given up. */
export class SyncRefused extends Error {
  override readonly name = 'SyncRefused'
  readonly reason: SyncRefusal
  constructor(reason: SyncRefusal, detail: string) {
    super(detail)
    this.reason = reason
  }
  /** Whether the other side must have known, and loses its standing for it. */
  get blame(): boolean {
    return !blameless.has(this.reason)
  }
}

/** @throws SyncRefused */
export const refuse = (reason: SyncRefusal, detail: string): never => {
  throw new SyncRefused(reason, detail)
}
