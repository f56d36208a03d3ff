import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, pageLimit, pageOffset } from '#core/schema.ts'
import {
  bondInput,
  bondView,
  contributionCensus,
  contributionMode,
  contributionPolicy,
  contributionStatus,
  modeView,
  releaseView,
} from '#domain/network/views/contribution.ts'

/** Contributed work: the rules, who does it, and this node's own part. */
const domain = 'network-governance'
const read = { domain, tier: 'computation' } as const
const owner = {
  domain,
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'node-owner' } },
} as const

const policy = endpoint({
  ...read,
  id: 'network.contribute-policy',
  route: 'GET /api/contribute/policy',
  summary: 'The public rules of contributed work: what a bond is, how long a work may be challenged, who checks when.',
  access: { credential: 'none' },
  input: closed({}),
  result: answered(contributionPolicy),
  faults: [],
  example: {},
  handle: ({ contribution }) => contribution.policy(),
})

const census = endpoint({
  ...read,
  id: 'network.contribute-census',
  route: 'GET /api/contribute/census',
  summary: 'How many nodes contribute, by mode and kernel set, as far as this one has heard; nothing under three.',
  access: { credential: 'none' },
  input: closed({}),
  result: answered(contributionCensus),
  faults: [],
  example: {},
  handle: ({ contribution }) => contribution.census(),
})

const status = endpoint({
  ...read,
  id: 'network.contribute-status',
  route: 'GET /api/contribute/status',
  summary: 'What the node does for others, its bond and what is at risk, and how far the caller is from a bond.',
  access: { credential: 'bearer', reach: { to: 'account' } },
  input: closed({ limit: pageLimit(), offset: pageOffset() }),
  result: answered(contributionStatus),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10 },
  handle: ({ contribution }, { input, caller }) => contribution.status(caller, input),
})

const bond = endpoint({
  ...owner,
  id: 'network.contribute-bond',
  route: 'POST /api/contribute/bond',
  summary:
    "Locks 1,000 of the node owner's envelopes behind the works that this node does for others: those named, or " +
    'others that nothing ties, soulbound ones first. All of them or none.',
  audit: { event: 'bonded', result: ['bond', 'count', 'at_risk'] },
  input: closed(bondInput),
  result: answered(bondView),
  faults: [
    'SCOPE_REQUIRED',
    'BOND_TOO_SMALL',
    'ALREADY_BONDED',
    'NOT_FOUND',
    'ENVELOPE_LOCKED',
    'SUPERSEDED',
    'OP_EXPIRED',
    ...codesOf('commit'),
    'NODE_BUSY',
  ],
  example: { count: 1_000 },
  handle: ({ contribution }, { input, caller }) => contribution.bond(caller, input),
})

const release = endpoint({
  ...owner,
  id: 'network.contribute-release',
  route: 'POST /api/contribute/release',
  summary: 'Ends offers at once; the envelopes are free at `unlocks_at`, which may move later and never earlier.',
  audit: { event: 'bond_released', result: ['bond', 'unlocks_at'] },
  input: closed({}),
  result: answered(releaseView),
  faults: ['SCOPE_REQUIRED', 'NOT_BONDED', ...codesOf('commit')],
  example: {},
  handle: ({ contribution }, { caller }) => contribution.release(caller),
})

const mode = endpoint({
  ...owner,
  id: 'network.contribute-mode',
  route: 'POST /api/contribute/mode',
  summary: 'Sets what the node does with its threads. Contributing and experimenting exclude each other.',
  audit: { event: 'contribution_mode', input: ['mode'] },
  input: closed({ mode: contributionMode }),
  result: answered(modeView),
  faults: ['SCOPE_REQUIRED', 'NOT_BONDED'],
  example: { mode: 'contributing' },
  handle: ({ contribution }, { input, caller }) => contribution.setMode(caller, input.mode),
})

const heartbeat = endpoint({
  ...owner,
  id: 'network.contribute-heartbeat',
  route: 'POST /api/contribute/heartbeat',
  summary: "Says that the node's owner is there. It cannot change the mode.",
  input: closed({}),
  result: answered(modeView),
  faults: ['SCOPE_REQUIRED'],
  example: {},
  handle: ({ contribution }, { caller }) => contribution.heartbeat(caller),
})

/** Endpoints of contributed work. */
export const contributeEndpoints = [policy, census, status, bond, release, mode, heartbeat] as const
