import type { FaultCode } from './fault.ts'
import { channelFaultHelp } from './fault-help-channels.ts'
import { contractFaultHelp } from './fault-help-contracts.ts'
import { machineFaultHelp } from './fault-help-machines.ts'

/** What a refusal means to whoever meets it: when it is given, and what to do. */
export interface FaultHelp {
  readonly when: string
  readonly remedy: string
}

/**
 * A row for every refusal, and for the failure that is none. It stands apart from the table of faults, which every
 * program loads: these words are for the documentation. `code` stands between backticks.
 */
export const faultHelp: Readonly<Record<FaultCode | 'INTERNAL', FaultHelp>> = {
  INTERNAL: {
    when: 'The node itself failed: this is a bug, and the answer says nothing about it.',
    remedy: 'Look the `instance` up in the log of the node. Please report it; the same call may fail again.',
  },
  INVALID_INPUT: {
    when: 'A member is missing, unknown, of another type, or outside its bounds.',
    remedy: 'Each entry of `errors` has the JSON pointer of a member (`path`) and what is wrong with it. Mend those.',
  },
  MALFORMED_REQUEST: {
    when: 'What came is no HTTP/1.1 request: a bad request line or header, or another version of the protocol.',
    remedy: 'Use an ordinary HTTP/1.1 client. Behind a proxy, let it speak HTTP/1.1 to the node.',
  },
  MALFORMED_JSON: {
    when: 'The body is no JSON object in UTF-8: not JSON, a list, a name that stands twice, a number beyond doubles.',
    remedy: 'Send one object, made by a JSON library rather than by joining text.',
  },
  NOT_CANONICAL: {
    when: 'A signed or stored document is not in the one byte form that it must have, or has no such form.',
    remedy:
      'Write it as `wire/canonical` says (RFC 8785): no lone surrogate, no number beyond the doubles, nothing unknown.',
  },
  EXPANDS_TOO_FAR: {
    when: 'Compressed data would unfold to more bytes than `limit`.',
    remedy: 'Send less, or send it in parts.',
  },
  DIGEST_MISMATCH: {
    when: 'The bytes that came do not have the SHA-256 that was named for them.',
    remedy: 'The file was changed or cut off on its way: `expected` and `found` say which. Send it again.',
  },
  BAD_SIGNATURE: {
    when: 'A signature does not fit what it is said to sign, or is of another key.',
    remedy: 'Sign the exact bytes, under the purpose that the document has. If you did not sign it, do not trust it.',
  },
  BAD_PUBLIC_KEY: {
    when: 'A public key is no canonical Ed25519 point of full order, or is not the one that belongs here.',
    remedy: 'Send the 32 bytes of the key as your library exports them, and the key of whoever is named.',
  },
  UNKNOWN_OPERATOR: {
    when: 'No row of the table of operators has this id.',
    remedy: 'Search by words, units or equation: `GET /api/operators/search?q=`. Ids are written as in `GR37`.',
  },
  OPERATOR_LIMIT_EXCEEDED: {
    when: 'A computation names no operator, or more than three beside KO42, which every one has.',
    remedy: 'Name one to three. What needs more is several computations, each sealed by itself.',
  },
  CONSENT_REQUIRED: {
    when: 'A job was offered to other nodes without consent: its pool, and whoever disputes it, can read its inputs.',
    remedy: 'Repeat the offer with `consent: true`, or leave `where=mesh` out: then this node computes it itself.',
  },
  MISSING_INPUTS: {
    when: 'The relation, or the question, needs quantities that were not given.',
    remedy: '`missing` lists them with their units. Give each one, by name where names are asked for.',
  },
  AMBIGUOUS_INPUT: {
    when: 'A question or a number can be read in several ways, and none of them is clearly meant.',
    remedy: 'Take one of `choices` or `alternatives` where there are some, or name the quantity, as in “mass = 5 kg”.',
  },
  RELATION_REFUSED: {
    when: 'The operator states something that has no value to compute: a definition, a bound, a statement in words.',
    remedy: 'The detail says what it is. Take another operator of the same quantity.',
  },
  DIMENSION_MISMATCH: {
    when: 'A value has a unit of another kind than the quantity that it stands for, such as seconds for a mass.',
    remedy: 'Give a number in the unit of the input, or a text with a unit that fits, such as `5 km`.',
  },
  OUT_OF_RANGE: {
    when: 'An input lies where the relation does not hold, such as a speed above that of light.',
    remedy: 'The detail names the bound. Choose a value inside it; no other precision or step helps.',
  },
  UNSTABLE_STEP: {
    when: 'The time step is beyond what an explicit scheme can bear: its errors would grow without bound.',
    remedy: 'The detail has the largest step that passes. Take it, or an implicit scheme where the solver has one.',
  },
  ILL_POSED: {
    when: 'The problem has no definite answer as it is stated, or its result would drown in rounding.',
    remedy: 'The detail says why, mostly with a value that would pass. Change that input.',
  },
  WORK_LIMIT_EXCEEDED: {
    when: 'The problem is larger than this caller may run, or than the solver takes at all.',
    remedy: 'Take a coarser grid or fewer steps. An account may run more than a demo key; `POST /api/quote` tells.',
  },
  NOT_STEPPABLE: {
    when: 'A reactor was asked of a solver whose answer is no state that a next step could begin with.',
    remedy: 'Run the solver once, or choose inputs that are steppable; the detail says which are.',
  },
  INVALID_SLUG: {
    when: 'The name of a machine has other letters than it may have, is too long, or is a reserved word.',
    remedy: 'Take small letters, digits and single hyphens, 1 to 64 of them.',
  },
  UNAUTHENTICATED: {
    when: 'The call needs a key and has none, or its key or session is unknown, revoked or over.',
    remedy:
      'Send `Authorization: Bearer <key>`. `GET /api/demo-key` gives a key to try with, `POST /api/auth/sign-up` an ' +
      'account with one of its own.',
  },
  MISSING_HANDSHAKE: {
    when: 'The entrance for other nodes was called without its header.',
    remedy: 'It is for nodes of the same closed mesh. Everyone else uses the interface.',
  },
  BAD_HANDSHAKE: {
    when: 'The handshake of another node does not fit the bytes of its body, or the secret is another one.',
    remedy: 'Give both nodes the same mesh secret, and let no proxy change the body.',
  },
  STALE_HANDSHAKE: {
    when: 'The handshake of another node is too old, or from the future.',
    remedy: 'Set the clocks of both nodes by NTP, and send a fresh one.',
  },
  INSUFFICIENT_BALANCE: {
    when: 'The account has fewer credits than the computation costs. Nothing was charged.',
    remedy: 'Make the problem smaller, or get credits: a new account starts with some, and contributing earns more.',
  },
  SCOPE_REQUIRED: {
    when: 'The key is good, but may not do this: it is a demo key, one that only reads, or of another role.',
    remedy: '`scope` names what is needed. Call with a key of the account, or ask an admin of the machine for a role.',
  },
  ORIGIN_REFUSED: {
    when: 'A page of another origin made a call that changes something.',
    remedy: 'Call from a program, or let the owner of the node list the origin under `http.origins`.',
  },
  NOT_FOUND: {
    when: 'There is no such thing, or this caller may not see it: the two are not told apart.',
    remedy: 'Check the id and the path. If it is private, call with the key of whoever owns it.',
  },
  CONSTANT_NOT_FOUND: {
    when: 'No constant of nature has this key.',
    remedy: '`GET /api/constants` lists all of them with units and sources.',
  },
  UNKNOWN_ZID: {
    when: 'No account here has this ZID; nor, where envelopes are sent, has a node that is known told of it.',
    remedy: 'Ask whoever it is for their ZID; the page shows it under Settings.',
  },
  NO_BLOCK_AT_TICK: {
    when: 'The machine wrote no entry in that tick, or its chain begins later.',
    remedy: 'List its entries, and ask for one of those ticks.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, and does not take this method.',
    remedy: '`allow`, and the header `Allow`, list those that it takes.',
  },
  NOT_ACCEPTABLE: {
    when: 'The header `Accept` rules out every form in which the answer can be given.',
    remedy: '`available` lists the forms. Leave the header out for JSON.',
  },
  HEADER_TOO_SLOW: {
    when: 'The header of the call did not arrive within its time.',
    remedy: 'Send it again over a better connection. Sending bytes one by one is what this is against.',
  },
  BODY_TOO_SLOW: {
    when: 'The body of the call did not arrive within its time.',
    remedy: 'Send it again, or send less at once.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'This `Idempotency-Key` was used for a call with another input.',
    remedy: 'Take a new key for a new call: a UUID for each is right.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: 'The first call with this `Idempotency-Key` is not answered yet.',
    remedy: 'Wait for `Retry-After`, and send the same call again: it brings back the answer, and charges nothing.',
  },
  SLUG_TAKEN: {
    when: 'A machine of this node has this name already, or had it once.',
    remedy: 'Choose another slug.',
  },
  MACHINE_NOT_ACTIVE: {
    when: 'The machine is paused or archived, and takes no entries.',
    remedy: 'An admin of it can make a paused one active again. An archived one can be read for ever, not written.',
  },
  SOULBOUND: {
    when: "An envelope in the list was paid with free credits: its coin is the house's. `token_id` names it.",
    remedy: 'Leave it out. Such an envelope counts for a bond and may be staked; it is never sent or exported.',
  },
  TOO_FEW: {
    when: 'More envelopes were asked for than can move: `movable` says how many can.',
    remedy: 'Ask for `movable` at most. What is soulbound, locked, or at a home that is away, does not count.',
  },
  SUPERSEDED: {
    when: 'The `spend_seq` of a token is not its present one, or the lock of the op is gone: somebody was first.',
    remedy: 'Read the envelope again: `spend_seq` is what it stands at. If it is still yours, sign a new op.',
  },
  OP_EXPIRED: {
    when: 'A signed op reached its home after `valid_to`, and was not applied before.',
    remedy: 'Sign it again. The old one can never be applied, so nothing happens twice.',
  },
  ENVELOPE_LOCKED: {
    when: 'The envelope is tied to a vote, a bond or a bearer package: `kind` and `ref` say which, `until` how long.',
    remedy: 'Wait for mesh tick `until`, or end what ties it: release the bond, reclaim the package.',
  },
  VOTE_CLOSED: {
    when: 'The vote is not open, or is open still where it must be over: `state` and `closes` say which.',
    remedy: 'Look at the proposal: `GET /api/community-operators/{id}`. A stake needs an open vote, a count its end.',
  },
  SIDE_FIXED: {
    when: 'The first stake of a ZID on a proposal fixes its side, and this one is for the other.',
    remedy: 'Stake more on the same side, or nothing. No stake can be withdrawn before the end of the vote.',
  },
  TOO_LATE: {
    when: 'No witness, or not even this node, would see it in time to count. Nothing was locked.',
    remedy: 'Stake earlier: `last_tick` says up to which mesh tick a stake of this node is taken.',
  },
  BOND_TOO_SMALL: {
    when: 'The account has fewer envelopes that nothing ties than a bond takes: `held` of `needed`.',
    remedy: 'Compute more: with free credits alone 1,000 envelopes take about 23 days. Soulbound ones count too.',
  },
  ALREADY_BONDED: {
    when: 'The node has a bond, or one is being made or let go.',
    remedy: 'Read `GET /api/contribute/status`. A new bond is possible once the locks of the old one are gone.',
  },
  NOT_BONDED: {
    when: 'A mode other than idle, or a release, was asked of a node whose bond was never made, released or withheld.',
    remedy: 'Bond first: `POST /api/contribute/bond`. After a release wait for mesh tick `unlocks_at`.',
  },
  BOND_FULL: {
    when: 'Every worker that could take the job answers for 64 works whose 1,287 ticks are not over.',
    remedy: 'Offer again later, or leave `where=mesh` out: then this node computes it itself.',
  },
  JOB_CANCELLED: {
    when: 'The job was cancelled before it had a result. Nothing was charged.',
    remedy: 'Start it again if the result is wanted after all.',
  },
  JOB_FINISHED: {
    when: 'The job is over, so there is nothing to cancel.',
    remedy: 'Fetch its result: `GET /api/jobs/{id}`.',
  },
  REACTOR_BUSY: {
    when: 'A step of this reactor is being computed now.',
    remedy: 'Wait for `Retry-After` and ask again, or follow its events.',
  },
  REACTOR_ENDED: {
    when: 'The reactor takes no more steps: all are done, its errors add up to the bound, or a step was refused.',
    remedy: 'The detail says which. Its steps stay sealed; begin another from where it ended.',
  },
  STEP_TAKEN: {
    when: 'The call names a step that the reactor does not stand before.',
    remedy: '`next` is the one that follows. If your own earlier call took it, its result is in the trajectory.',
  },
  NOT_SEALED_YET: {
    when: 'The receipt is promised, and the checkpoint that proves it is not signed yet.',
    remedy: 'Ask again after `Retry-After`: it takes a tick, 0.777 s.',
  },
  NOT_ELIGIBLE: {
    when:
      'The account or the machine has claimed in this UTC day, or free and paid credits together are more than ' +
      '`balance_max`; `state` says which, and nothing was spent.',
    remedy: 'Ask `GET /api/credits/status`: claim after `unlocks_at`, or when the balance is nearly out.',
  },
  CHALLENGE_SPENT: {
    when: 'The work was done and paid for: each challenge of the daily claim pays once.',
    remedy: 'Ask `GET /api/credits/status` whether the credits have come. A new claim takes a new challenge.',
  },
  GONE: {
    when: 'What stood here was retired.',
    remedy: '`successor` names what took its place.',
  },
  BODY_TOO_LARGE: {
    when: 'The body has more bytes than the operation takes.',
    remedy: '`limit_bytes` says how many it takes. Send less, or the hash of a file rather than the file.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not said to be JSON, or is compressed.',
    remedy: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  },
  HOST_REFUSED: {
    when: 'The call names a host that the node does not answer under: a proxy’s name, or another site’s.',
    remedy: 'Use the address that the node printed. Its owner lists further names in `TICKMESH_HTTP_HOSTS`.',
  },
  PRECISION_NOT_MET: {
    when: 'The result was computed, and the independent check measured an error above 0.1 %. Nothing was charged.',
    remedy: 'Take the inputs of `suggestion` where there is one: mostly a finer grid or a smaller step.',
  },
  ENERGY_NOT_CONSERVED: {
    when: 'The energy of the motion drifted further than it may. Nothing was sealed or charged.',
    remedy: 'Take a smaller step; `measured` and `bound` say how far it is off.',
  },
  DID_NOT_CONVERGE: {
    when: 'An iteration did not settle, or the result holds numbers that are not finite. Nothing was charged.',
    remedy: 'Take a better start, a smaller step or more iterations; the detail says where it stopped.',
  },
  HEADER_TOO_LARGE: {
    when: 'The header of the call has more bytes than the node reads.',
    remedy: 'Drop cookies and headers that the node does not need.',
  },
  RATE_LIMITED: {
    when: 'This key or address has made its calls of the minute.',
    remedy: 'Wait for `Retry-After`. `RateLimit-Remaining` says beforehand how many are left; a key has more.',
  },
  DAILY_LIMIT_EXCEEDED: {
    when: 'What this key or address may do in a day is done, such as ten runs of the shared demo key.',
    remedy: 'Come back after `Retry-After`, or make an account: `POST /api/auth/sign-up`.',
  },
  CLOCK_BEHIND: {
    when: 'The clock of the node was set back behind the newest tick of its log. Sealing waits.',
    remedy: 'Try again later. The owner sets the clock right; `tickmesh doctor` says by how much it is off.',
  },
  LOG_ROLLED_BACK: {
    when: 'The node was restored from a copy that lacks leaves which it has signed. It seals nothing.',
    remedy: 'Its owner restores a newer copy, or leaves that log behind: see “Keys” under running a node.',
  },
  LOG_UNCONFIRMED: {
    when: 'The data were restored, and the witnesses have not yet said how far the log was.',
    remedy: 'Try again after `Retry-After`. The owner sees to it that the witnesses can be reached.',
  },
  MESH_SECRET_MISSING: {
    when: 'The entrance for other nodes over HTTP is closed, because this node has no mesh secret.',
    remedy: 'Its owner sets `TICKMESH_MESH_SECRET_FILE` if the entrance is wanted. Nothing else needs it.',
  },
  HOME_UNREACHABLE: {
    when:
      'The node that orders the changes of this token is not connected, or does not answer. With `pending: true` the ' +
      'op may have reached it; without it, nothing changed.',
    remedy:
      'Try again after `Retry-After`. What is pending is repeated as the same op, or under the same ' +
      '`Idempotency-Key`: it is applied once, and gives its receipt. For an account here this node asks on by ' +
      'itself, and `GET /api/tally/moves` shows the receipt once there is one.',
  },
  NODE_UNREACHABLE: {
    when: 'The other node that the call needs is not connected, or does not answer in time.',
    remedy: '`GET /api/mesh/status` lists who is connected; try again when it is there.',
  },
  NO_WORKER: {
    when: 'No connected node contributes with the same code, or none of them took the job.',
    remedy: '`GET /api/contribute/census` shows who contributes. Offer again later, or compute it here.',
  },
  NODE_BUSY: {
    when: 'As many computations wait as the node takes.',
    remedy: 'Wait for `Retry-After`. `Prefer: respond-async` makes a long one a job once it is let in.',
  },
  WORKER_LOST: {
    when: 'The thread that computed ended before its result. Nothing was charged.',
    remedy: 'Send the call again. If it ends so each time, the problem needs more memory than the node gives.',
  },
  NODE_STOPPING: {
    when: 'The node is being stopped or started again.',
    remedy: 'Wait for `Retry-After` and send the call again, with the same `Idempotency-Key` if it had one.',
  },
  STORE_FAILED: {
    when: 'The disk of the node is full or broken. It answers what it knows, and writes nothing.',
    remedy: 'Its owner makes room or mends the disk, and starts it again. What was sealed is still there.',
  },
  ...contractFaultHelp,
  CAPACITY_EXCEEDED: {
    when: 'The node, or this account on it, has as much of it as it takes.',
    remedy:
      '`limit` says how much, or `needed_ms` and `free_ms` what it takes of each tick and what is free. End what is ' +
      'not needed, let it tick less often, or use another node.',
  },
  ...channelFaultHelp,
  ...machineFaultHelp,
}
