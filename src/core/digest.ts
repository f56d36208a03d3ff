import { sha256OfText } from '#crypto'
import { assert } from './assert.ts'
import { concat, utf8 } from './bytes.ts'
import { canonical, type Json } from './canonical.ts'

/**
 * Every purpose string: it stands in front of whatever is hashed or signed, so nothing can pass as something else. One
 * purpose has one meaning: what looks different under it would be told apart by its shape alone.
 * A byte form never changes once landed: a new version is a new row, and old rows stay.
 */
export const purposes = {
  signUp: 'tickmesh/sign-up/1',
  token: 'tickmesh/token/1',
  envelope: 'tickmesh/envelope/1',
  claim: 'tickmesh/claim/1',
  inputs: 'tickmesh/inputs/1',
  result: 'tickmesh/result/1',
  evidence: 'tickmesh/evidence/1',
  receipt: 'tickmesh/receipt/1',
  equations: 'tickmesh/equations/1',
  pulse: 'tickmesh/pulse/1',
  tick: 'tickmesh/tick/1',
  state: 'tickmesh/state/1',
  ledgerEntry: 'tickmesh/ledger-entry/1',
  ledger: 'tickmesh/ledger/1',
  verdict: 'tickmesh/verdict/1',
  attestation: 'tickmesh/attestation/1',
  event: 'tickmesh/event/1',
  eventLeaf: 'tickmesh/event-leaf/1',
  handshake: 'tickmesh/handshake/1',
  head: 'tickmesh/head/1',
  genesis: 'tickmesh/genesis/1',
  machineId: 'tickmesh/machine-id/1',
  entry: 'tickmesh/entry/1',
  tokenOp: 'tickmesh/token-op/1',
  work: 'tickmesh/work/1',
  draw: 'tickmesh/draw/1',
  link: 'tickmesh/link/1',
  secure: 'tickmesh/secure/1',
  pow: 'tickmesh/pow/1',
  succession: 'tickmesh/succession/1',
  challenge: 'tickmesh/challenge/1',
  constants: 'tickmesh/constants/1',
  build: 'tickmesh/build/1',
  idempotency: 'tickmesh/idempotency/1',
  request: 'tickmesh/request/1',
  witnessKey: 'tickmesh/witness-key/1',
  reactor: 'tickmesh/reactor/1',
  reactorState: 'tickmesh/reactor-state/1',
  askedClaim: 'tickmesh/claim/2',
  reading: 'tickmesh/reading/1',
  question: 'tickmesh/question/1',
  tokenMove: 'tickmesh/token-move/1',
  tokenReceipt: 'tickmesh/token-receipt/1',
  tokenState: 'tickmesh/token-state/1',
  bearer: 'tickmesh/bearer/1',
  tokenAsk: 'tickmesh/token-ask/1',
  offer: 'tickmesh/offer/1',
  accept: 'tickmesh/accept/1',
  dispute: 'tickmesh/dispute/1',
  reveal: 'tickmesh/reveal/1',
  ruling: 'tickmesh/ruling/1',
  sample: 'tickmesh/sample/1',
  audit: 'tickmesh/audit/1',
  workLeaf: 'tickmesh/work-leaf/1',
  bond: 'tickmesh/bond/1',
  outcome: 'tickmesh/outcome/1',
  proposal: 'tickmesh/proposal/1',
  stake: 'tickmesh/stake/1',
  voteLeaf: 'tickmesh/vote-leaf/1',
  assurance: 'tickmesh/assurance/1',
  batchCall: 'tickmesh/batch-call/1',
  batchOpening: 'tickmesh/batch-opening/1',
  batchOpen: 'tickmesh/batch-open/1',
  batchOutcome: 'tickmesh/batch-outcome/1',
  batchClosing: 'tickmesh/batch-closing/1',
  batchClose: 'tickmesh/batch-close/1',
  zone: 'tickmesh/zone/1',
  contract: 'tickmesh/contract/1',
  contractId: 'tickmesh/contract-id/1',
  trigger: 'tickmesh/trigger/1',
  fire: 'tickmesh/fire/1',
  context: 'tickmesh/context/1',
  eventData: 'tickmesh/event-data/1',
  tx: 'tickmesh/tx/1',
  channelState: 'tickmesh/channel-state/1',
} as const

export type Purpose = (typeof purposes)[keyof typeof purposes]

const known: ReadonlySet<string> = new Set(Object.values(purposes))

/** Purpose, 0x0A, bytes. */
export const withPurpose = (purpose: Purpose, bytes: Uint8Array): Uint8Array => {
  assert(known.has(purpose), `purpose ${purpose} stands in the table`)
  return concat(utf8(`${purpose}\n`), bytes)
}

const purposed = (purpose: Purpose, text: string): string => {
  assert(known.has(purpose), `purpose ${purpose} stands in the table`)
  return `${purpose}\n${text}`
}

/** As {@link withPurpose}, of a text that is canonical already: encoded once, copied never. */
export const signedText = (purpose: Purpose, text: string): Uint8Array => utf8(purposed(purpose, text))

/** What is signed or hashed for a value: purpose, 0x0A, its RFC 8785 bytes. @throws Fault NOT_CANONICAL */
export const signedBytes = (purpose: Purpose, value: Json): Uint8Array => signedText(purpose, canonical(value))

/** As {@link digest}, of a text that is canonical already. */
export const textDigest = (purpose: Purpose, text: string): string => sha256OfText(purposed(purpose, text))

/** SHA-256 over {@link signedBytes}, lower-case hex. @throws Fault NOT_CANONICAL */
export const digest = (purpose: Purpose, value: Json): string => textDigest(purpose, canonical(value))
