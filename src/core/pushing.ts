/** One text for all readers that it goes to. */
export interface PushedText {
  readonly text: string
  /** Mesh tick that it is about: what a reader who was too slow is told to have missed goes by it. */
  readonly meshTick: number
}

/** The far end of a socket, as what feeds it sees it. */
export interface PushOutlet {
  /** Sends, or keeps the newest where the reader is behind: what it missed is said before that. */
  push(text: PushedText): void
  /** Resolves when everything pushed has left, or the socket is gone. */
  drained(): Promise<void>
  /** Says goodbye after what was pushed. */
  end(): void
  /** Ends it at once because the node cannot go on: the reader may come again. */
  fail(): void
}

/** What a socket is fed by, once it is open. */
export interface Pushing {
  /** Whether a reader may still read who has shown something else than a credential. */
  readonly mayRead?: () => boolean
  /** Begins to push. @returns what ends it. */
  feed(outlet: PushOutlet): Disposable
}
