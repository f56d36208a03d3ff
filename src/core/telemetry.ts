/** Where lines go: fields and the name of the event, never a sentence built from values, never a secret. */
export interface Log {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
  /** Who was let in, who was given or lost a right: written at every level but `silent`. */
  audit(fields: object, event: string): void
}

/** What is counted. Names carry their unit; labels have few values, ids go to the log. */
export interface Meter {
  /** Adds to a counter. */
  count(name: CounterName, labels?: Readonly<Record<string, string>>, by?: number): void
  /** One observation of a duration in seconds. */
  observe(name: DurationName, seconds: number, labels?: Readonly<Record<string, string>>): void
}

/** Every counter with its help line and labels: one row is one metric, and each stands on the dashboard. */
export const counters = {
  seals_total: { help: 'Computations that ended, by what came of them.', labels: ['solver', 'result'] },
  gate_rejections_total: { help: 'Results that the gate refused.', labels: ['solver', 'code'] },
  http_requests_total: { help: 'Calls answered.', labels: ['endpoint', 'status'] },
  credentials_refused_total: { help: 'Calls refused for the sake of who calls (401, 403).', labels: ['code'] },
  sse_gaps_total: { help: 'Gap events told to readers that had fallen behind.', labels: [] },
  socket_gaps_total: { help: 'Gaps told to readers of WebSockets that had fallen behind.', labels: [] },
  gossip_received_total: { help: 'Mesh events accepted, by entrance.', labels: ['entrance'] },
  gossip_dropped_total: { help: 'Mesh messages dropped, by reason.', labels: ['reason'] },
  redis_failures_total: { help: 'Connections to Redis that failed or ended, by reason.', labels: ['reason'] },
  redis_passed_over_total: { help: 'Messages from Redis beyond what a tick takes, dropped unread.', labels: [] },
  sync_leaves_total: { help: "Leaves of other nodes' event logs applied.", labels: [] },
  sync_refused_total: { help: 'Syncs given up, by reason; most of them name who was wrong.', labels: ['reason'] },
  witness_requests_total: { help: 'Requests to cosign a checkpoint, by the status answered.', labels: ['result'] },
  cosignature_requests_total: {
    help: 'Requests to witnesses for a cosignature, by what came of them.',
    labels: ['result'],
  },
  evidence_total: { help: 'Proofs found here that a log signed two histories.', labels: [] },
  credits_minted: { help: 'Credits that entered, by source.', labels: ['source'] },
  credits_burned: { help: 'Credits spent on computations.', labels: ['asset'] },
  sandbox_runs: {
    help: 'Programs run in the sandbox, by how they ended; 0 in a release without one.',
    labels: ['code'],
  },
} as const
export type CounterName = keyof typeof counters

/** Every histogram of seconds. */
export const durations = {
  seal_seconds: { help: 'From the call to the sealed envelope.', labels: ['solver'] },
  fsync_seconds: { help: 'One group commit, fsync included.', labels: [] },
  http_seconds: { help: 'From the parsed header to the last byte of the answer.', labels: ['endpoint'] },
} as const
export type DurationName = keyof typeof durations

/** A meter that counts nothing, for work outside a node (replay, verification). */
export const noMeter: Meter = { count: () => undefined, observe: () => undefined }
