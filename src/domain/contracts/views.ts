import Type from 'typebox'
import {
  anything,
  byName,
  count,
  finite,
  hex64,
  json,
  meshTick,
  model,
  oneOf,
  orNull,
  PAGE_ROWS_MAX,
  tick,
} from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What contracts answer: what they are, where they stand, what is due, and what they were. */

/** Secrets of one contract. */
export const SECRETS_MAX = 64
/** Fires that are told ahead. */
export const NEXT_FIRES_MAX = 100

export const statuses = ['paused', 'live', 'frozen'] as const

/** A member of a context. */
const scalar = () => Type.Union([finite(), Type.String(), Type.Boolean(), Type.Null()])
const members = () =>
  Type.Record(Type.String(), scalar(), { title: 'ContractContext', description: 'Values of its members.' })
const id = () => Type.String({ description: '32 hex digits.' })
const versionNo = () => count({ minimum: 1, description: 'Number of the version, from 1.' })
const version = () => hex64({ description: 'Digest of the definition in its normal form.' })

const summaryMembers = {
  id: id(),
  slug: Type.String({ description: 'Machine whose chain holds what it does.' }),
  name: Type.String(),
  contract: hex64({ description: 'Its name in every digest: of id and id_hash of the machine.' }),
  status: oneOf(statuses),
  state: Type.String({ description: 'Where it stands.' }),
  done: Type.Boolean({ description: 'Whether that state is terminal.' }),
  version_no: versionNo(),
  version: version(),
  created_tick: tick(),
  next: orNull(meshTick(), { description: 'Mesh tick in which a clock moves it next; null where none does.' }),
  fire_count: count(),
} as const

/** A contract in a list. */
export const contractSummary = model('ContractSummary', summaryMembers)
export type ContractSummary = View<typeof contractSummary>

const day = model('ContractDay', {
  day: count({ description: 'Days since 1970, in UTC.' }),
  credits: count(),
  fires: count(),
})

const standingMembers = {
  paused_by: orNull(oneOf(['author', 'hand', 'failures']), {
    description: 'Not started yet, paused by a person, or by failures in a row.',
  }),
  entered_tick: meshTick({ description: 'Mesh tick in which it entered its state.' }),
  context: members(),
} as const

/** A contract, whole. */
export const contractView = model('StateContract', {
  ...summaryMembers,
  ...standingMembers,
  created_by: Type.String({ description: 'ZID.' }),
  armed_tick: meshTick({ description: 'Due instants count from here: the start, or the latest resumption.' }),
  firing: Type.Boolean({ description: 'Whether a fire is under way.' }),
  waiting: count({ description: 'Fires that wait for it, or for another try.' }),
  skip: orNull(Type.Object({ trigger: Type.String(), due: count(), by: Type.String() }), {
    description: 'The due instant that is left out.',
  }),
  failures: count({ description: 'Outcomes in a row that were no success.' }),
  spent: day,
  secrets: Type.Array(Type.String(), { description: 'Names; values are never shown.' }),
  definition: json({ description: 'In its normal form.' }),
})
export type ContractView = View<typeof contractView>

/** What may go wrong with a version, which does not keep it from being deployed. */
export const contractWarning = model('ContractWarning', {
  rule: Type.String({ description: 'What the checker warns of.' }),
  path: Type.String(),
  reason: Type.String(),
})

/** A contract as it was at the end of a tick, by the rows of its audit. */
export const pastContract = model('PastContract', {
  id: id(),
  slug: Type.String(),
  name: Type.String(),
  contract: hex64(),
  tick: tick({ description: 'The tick that was asked for.' }),
  status: oneOf(statuses),
  state: Type.String(),
  done: Type.Boolean(),
  context: members(),
  fire_count: count(),
  version_no: versionNo(),
  version: version(),
  definition: json(),
  rows: count({ description: 'Rows of the audit up to here.' }),
})
export type PastContract = View<typeof pastContract>

/** Either of the two. */
export const readContract = Type.Object({ contract: Type.Union([contractView, pastContract]) })

/** A page of the contracts of a machine, newest first. */
export const contractPage = model('ContractPage', {
  total: count(),
  limit: count(),
  offset: count(),
  contracts: Type.Array(contractSummary),
})
export type ContractPage = View<typeof contractPage>

const versionMembers = {
  no: versionNo(),
  version: version(),
  tick: tick({ description: 'Node tick in which it was written.' }),
  by: Type.String({ description: 'Who wrote it.' }),
  of: orNull(count(), { description: 'The version that a rollback brought back.' }),
  zones: byName('^[A-Za-z].*$', hex64(), PAGE_ROWS_MAX),
} as const

/** The versions of a contract, newest first. */
export const versionPage = model('ContractVersionPage', {
  id: id(),
  current: versionNo(),
  total: count(),
  limit: count(),
  offset: count(),
  versions: Type.Array(model('ContractVersion', versionMembers)),
})
export type VersionPage = View<typeof versionPage>

/** A version, whole. */
export const versionView = model('ContractVersionWhole', {
  id: id(),
  ...versionMembers,
  definition: json({ description: 'In its normal form.' }),
})
export type VersionView = View<typeof versionView>

/** The digest that is stored against that of the definition as it stands now. */
export const integrity = model('ContractIntegrity', {
  id: id(),
  version_no: versionNo(),
  stored: hex64({ description: 'The version that every fire names.' }),
  live: hex64({ description: 'The definition, hashed again for this answer.' }),
  equal: Type.Boolean(),
  version: version(),
})
export type Integrity = View<typeof integrity>

const nextFire = model('NextFire', {
  trigger: Type.String({ description: 'Name of the trigger: first digits of its digest.' }),
  kind: oneOf(['one_shot', 'recurring', 'cron', 'after']),
  due: count({ description: 'Unix seconds of a civil instant, a mesh tick of any other.' }),
  tick: meshTick({ description: 'Mesh tick in which it is decided.' }),
  at: Type.String({ description: 'ISO 8601: when that tick begins.' }),
  skipped: Type.Boolean({ description: 'Whether it was asked to be left out.' }),
})

/** What the clock moves next, as long as nothing else moves it. */
export const nextFires = model('NextFires', {
  id: id(),
  status: oneOf(statuses),
  state: Type.String(),
  fires: Type.Array(nextFire),
  note: orNull(Type.String(), { description: 'Why there are none, or what could change them.' }),
})
export type NextFires = View<typeof nextFires>

/** A contract in a portable form: what it says, and nothing of what it did. */
export const contractFile = model('ContractFile', {
  format: Type.Unsafe<'tickmesh/contract-file/1'>({ type: 'string', const: 'tickmesh/contract-file/1' }),
  name: Type.String(),
  version: version(),
  definition: json(),
  zones: Type.Array(json(), { description: 'The tables of the zones that it goes by.' }),
  secrets: Type.Array(Type.String(), { description: 'Names of secrets that it needs; their values stay.' }),
  origin: Type.Object({
    id: id(),
    contract: hex64(),
    slug: Type.String(),
    id_hash: hex64(),
    version_no: versionNo(),
    exported_tick: tick(),
  }),
})
export type ContractFile = View<typeof contractFile>

/** All that a contract did, for whoever decides it again: with the chain of its machine it needs no node. */
export const contractHistory = model('ContractHistory', {
  id: id(),
  id_hash: hex64(),
  slug: Type.String(),
  genesis: hex64(),
  versions: Type.Array(
    Type.Object({
      no: versionNo(),
      version: version(),
      definition: json(),
      zones: Type.Record(Type.String(), hex64(), { description: 'Digests of the tables of its zones.' }),
    }),
  ),
  zones: Type.Record(Type.String(), json(), { description: 'Tables of zones by their digests.' }),
  rows: Type.Array(json(), { description: 'The whole audit, opened, oldest first.' }),
  events: Type.Array(
    Type.Object({
      slug: Type.String(),
      seq: count(),
      at: meshTick(),
      name: Type.String(),
      data: Type.Record(Type.String(), json()),
    }),
    { description: 'Events that windows are over, opened.' },
  ),
  attested: Type.Array(
    Type.Object({
      slug: Type.String(),
      genesis_hash: hex64(),
      entry: json({ description: 'The hashed form.' }),
      proof: json({ description: 'As it is given with the entry alone: protocols/wire/machine.md.' }),
      says: Type.Record(Type.String(), json(), { description: 'What the entry names by its digest, opened.' }),
      readings: Type.Array(Type.Object({ no: count(), oracle: Type.String() })),
    }),
    { description: 'Entries of chains that readings follow from, with their proofs.' },
  ),
  unsealed: count({ description: 'Entries that no checkpoint covers yet: asked again, they come along.' }),
})
export type ContractHistory = View<typeof contractHistory>

/** A contract of a public machine, as everyone sees it. */
export const publicContract = model('PublicContract', {
  ...summaryMembers,
  context: members(),
  entered_tick: meshTick(),
  definition: json(),
})
export type PublicContract = View<typeof publicContract>

/** A page of the contracts of public machines, newest first. */
export const publicPage = model('PublicContractPage', {
  contracts: Type.Array(contractSummary),
  next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
})
export type PublicPage = View<typeof publicPage>

/** What the chain says openly of what a contract did. */
export const publicAudit = model('PublicContractAudit', {
  id: id(),
  slug: Type.String(),
  rows: Type.Array(
    model('PublicContractRow', {
      no: count({ description: 'Number of the row.' }),
      tick: tick(),
      outcome: Type.String(),
      seq: orNull(count(), { description: 'Its entry in the chain.' }),
      entry: orNull(json(), { description: 'What that entry says.' }),
    }),
  ),
  next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
})
export type PublicAudit = View<typeof publicAudit>

/** How many streams are open over a contract now. */
export const subscribers = model('ContractSubscribers', { id: id(), subscribers: count() })
export type Subscribers = View<typeof subscribers>

const simulated = model('SimulatedOutcome', {
  tick: meshTick(),
  by: oneOf(['clock', 'event', 'call', 'hand'], { description: 'What it came of.' }),
  outcome: oneOf(['fired', 'refused', 'none']),
  due: orNull(count()),
  event: orNull(Type.Object({ name: Type.String(), data: anything() })),
  from: Type.String(),
  to: Type.String(),
  steps: Type.Array(Type.String(), { description: 'Transitions, in order.' }),
  changed: Type.Record(Type.String(), Type.Array(scalar()), { description: 'Members: before and after.' }),
  effects: Type.Array(anything(), { description: 'What it would do outside; nothing of it was done.' }),
  computations: Type.Array(anything()),
  credits: count(),
  problem: orNull(anything(), { description: 'Why it was refused.' }),
  seen: Type.Array(anything(), { description: 'Guards that were false, and what they read.' }),
})

/** What a simulation came to. */
export const simulationView = model('ContractSimulation', {
  name: Type.String(),
  version: version(),
  from: meshTick({ description: 'Where it began: now.' }),
  until: meshTick(),
  tick: meshTick({ description: 'Where it ended.' }),
  stopped: oneOf(['until', 'decisions', 'failures'], {
    description: 'Its time ran out, it decided as much as one call may, or failures in a row paused it.',
  }),
  state: Type.String(),
  context: members(),
  counts: Type.Object({ fired: count(), refused: count(), none: count() }),
  timeline: Type.Array(simulated),
  spending: Type.Object({
    credits: count(),
    computations: count(),
    most: orNull(Type.Object({ day: count(), credits: count() }), { description: 'The dearest day, in UTC.' }),
  }),
  coverage: Type.Object({
    states: Type.Array(Type.String()),
    states_missed: Type.Array(Type.String()),
    transitions: Type.Array(Type.String()),
    transitions_missed: Type.Array(Type.String()),
  }),
  broken: Type.Array(
    Type.Object({
      ...{ claim: count(), never: Type.String(), tick: meshTick() },
      fire: orNull(Type.String(), {
        description: 'The fire beside which it was seen; null where time alone broke it.',
      }),
    }),
    { description: 'Claims that did not hold, each where it was first seen.' },
  ),
  too_deep: count({ description: 'Own events and calls that went too deep to act.' }),
  next: Type.Array(Type.Object({ trigger: Type.String(), kind: Type.String(), due: count(), tick: meshTick() })),
})
export type SimulationView = View<typeof simulationView>
