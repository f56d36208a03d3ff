import type { TableKind } from './row-kind.ts'
import { account } from './rows/account.ts'
import { away } from './rows/away.ts'
import { basis } from './rows/basis.ts'
import { batch } from './rows/batch.ts'
import { blob } from './rows/blob.ts'
import { bond } from './rows/bond.ts'
import { channel } from './rows/channel.ts'
import { claim } from './rows/claim.ts'
import { contact } from './rows/contact.ts'
import { contract } from './rows/contract.ts'
import { cosigned } from './rows/cosigned.ts'
import { dispute } from './rows/dispute.ts'
import { envelope } from './rows/envelope.ts'
import { era } from './rows/era.ts'
import { event } from './rows/event.ts'
import { idempotency } from './rows/idempotency.ts'
import { indexed } from './rows/indexed.ts'
import { issue } from './rows/issue.ts'
import { job } from './rows/job.ts'
import { kept } from './rows/kept.ts'
import { lent } from './rows/lent.ts'
import { log } from './rows/log.ts'
import { machine } from './rows/machine.ts'
import { machineClockwork } from './rows/machine-clockwork.ts'
import { machineToken } from './rows/machine-token.ts'
import { machineTokenRange } from './rows/machine-token-range.ts'
import { move } from './rows/move.ts'
import { notice } from './rows/notice.ts'
import { peer } from './rows/peer.ts'
import { reactor } from './rows/reactor.ts'
import { site } from './rows/site.ts'
import { tally } from './rows/tally.ts'
import { transfer } from './rows/transfer.ts'
import { txNonce } from './rows/tx-nonce.ts'
import { usage } from './rows/usage.ts'
import { vote } from './rows/vote.ts'
import { witness } from './rows/witness.ts'
import { work } from './rows/work.ts'

export * from './key-parts.ts'

/**
 * Every kind of row, one line each, in the order in which `fsck` looks at them. A table that goes moves to
 * {@link retired}; its prefix is never given again.
 */
export const kinds = [
  basis,
  log,
  transfer,
  blob,
  envelope,
  kept,
  move,
  notice,
  away,
  usage,
  job,
  machine,
  machineToken,
  machineTokenRange,
  machineClockwork,
  site,
  txNonce,
  era,
  peer,
  issue,
  claim,
  account,
  idempotency,
  contact,
  reactor,
  contract,
  bond,
  lent,
  dispute,
  event,
  indexed,
  vote,
  cosigned,
  witness,
  work,
  tally,
  batch,
  channel,
] as const

type Both<K> = (K extends unknown ? (it: K) => void : never) extends (it: infer All) => void ? All : never

/** The rows of every table. A bytes table holds its values as they are; all others hold JSON. */
export type Rows = Both<NonNullable<(typeof kinds)[number]['rows']>>
export type TableName = keyof Rows
export type Row<N extends TableName> = Rows[N]

/** Every table of the database. */
export const tables = Object.assign({}, ...kinds.map((it) => it.tables)) as { readonly [N in TableName]: TableKind }

/** Prefixes of tables that are gone, with what they held. */
export const retired: Readonly<Record<string, string>> = {
  v: 'mesh events by id: never written, since an event is a leaf of its log',
}
