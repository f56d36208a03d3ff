import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { contractDigest } from '#core/contract/cause.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { randomBytes } from '#crypto'
import { once } from '#domain/machines/context.ts'
import { type ZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { type ContractRow, type ContractVersionRow, numberedKey } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { actorOf, change } from './changes.ts'
import type { ContractContext } from './context.ts'
import { definitionIn } from './files.ts'
import { type ContractRequest, machineFor, needs } from './finding.ts'
import { createRooms } from './rooms.ts'
import { heardUpTo, isDone, lookTick } from './schedule.ts'
import { putSecrets, type SecretOrder, secretNames, secretsOf, veiled } from './secrets.ts'
import { contractViewOf } from './shown.ts'
import type { Judge, JudgedContract, SoundContract } from './sound.ts'
import { fillTemplate } from './templates/fill.ts'
import type { ContractView } from './views.ts'

const ID_BYTES = 16

/** A contract that got a version, with what may go wrong with that. */
export interface DeployedContract {
  readonly contract: ContractView
  readonly warnings: JudgedContract['warnings']
}

/** A contract as a call wants it. */
export interface AuthorOrder {
  readonly definition: unknown
  readonly start: boolean
  readonly secrets?: SecretOrder | undefined
  /** The template that it came of, with its parameters. */
  readonly filled?: { readonly template: string; readonly parameters: Json } | undefined
}

/** A contract of a template. */
export interface TemplateOrder extends Omit<AuthorOrder, 'definition' | 'filled'> {
  readonly template: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** How a repeat is known whose input holds secrets: by no more than what cannot be guessed from. */
export const repeatOf = (repeat: Repeat, veil: Uint8Array): Repeat => {
  const { secrets } = repeat.input
  if (secrets === undefined) return repeat
  return { ...repeat, input: { ...repeat.input, secrets: veiled(secrets as SecretOrder, veil) } }
}

/** Keeps a table that a contract goes by from now on. */
export const putZone = (tx: Transaction, name: string, table: ZoneTable): void => {
  const kept = tx.get('contractZone', name)
  if (kept === undefined || kept.left) tx.put('contractZone', name, { table: table as unknown as Json })
}

/** Writes a version down, with the tables of its zones. */
export const putVersion = (
  tx: Transaction,
  id: string,
  { definition, version, zones }: SoundContract,
  of: Pick<ContractVersionRow, 'no' | 'by' | 'of'>,
): void => {
  const pinned = Object.entries(zones).map(([zone, table]): [string, string] => {
    const name = zoneDigest(table)
    putZone(tx, name, table)
    return [zone, name]
  })
  const row = { ...of, version, definition: definition as unknown as Json, zones: Object.fromEntries(pinned) }
  tx.put('contractVersion', numberedKey(id, of.no), { ...row, tick: tx.tick })
}

/** A contract before its first fire: it runs from now on, or waits to be started. */
const beginningOf = (
  tx: Transaction,
  ready: ReadyContract,
  of: Pick<ContractRow, 'id' | 'number' | 'created_by'> & { readonly machine: MachineRow; readonly start: boolean },
): ContractRow => {
  const { id, number, created_by, machine, start } = of
  const { slug, id_hash } = machine
  const contract = contractDigest(id_hash, id)
  const standing = beginning(ready, contract, tx.meshTick)
  const row: ContractRow = {
    ...{ v: 1, id, number, slug, contract, created_by, created_tick: tx.tick, standing },
    ...{ name: ready.definition.name, version_no: 1, version: ready.version, done: isDone(ready, standing) },
    ...(start ? { status: 'live', paused_by: null } : { status: 'paused', paused_by: 'author' }),
    ...{ armed_tick: tx.meshTick, seqs: start ? heardUpTo(tx, slug, ready) : {}, next: null, skip: null },
    ...{ waiting: [], firing: null, fire_count: 0, failures: 0, rows: 0 },
    ...{ spent: { day: 0, credits: 0, fires: 0 }, updated_tick: tx.tick },
  }
  return { ...row, next: lookTick(ready, row) }
}

/** Makes contracts. */
export const createAuthor = (context: ContractContext, judge: Judge, veil: Uint8Array) => {
  const { store, contracts } = context
  const reader = { get: store.peek }
  const rooms = createRooms(store)

  const plan =
    (
      { caller, slug, id }: ContractRequest,
      order: AuthorOrder,
      { sound, ready }: { sound: SoundContract; ready: ReadyContract },
    ) =>
    (tx: Transaction): string => {
      const { machine } = machineFor(tx, { caller, slug }, needs.author)
      const number = contracts.nextNumber()
      rooms.take(slug, id, number)
      const by = actorOf(caller)
      putVersion(tx, id, sound, { no: 1, by, of: null })
      contracts.keep(tx, { id, version_no: 1 }, ready)
      const row = beginningOf(tx, ready, { id, number, created_by: by, machine, start: order.start })
      const secrets = { order: order.secrets ?? {}, needed: secretsOf(sound.definition) }
      putSecrets(tx, context, { contract: row, machine, ...secrets })
      const { state, entered, context: values } = row.standing
      const details = { state, entered, context: values, start: order.start, ...(order.filled ?? {}) }
      change(context, tx, { caller, before: undefined, after: row, what: 'created', details })
      return id
    }

  const create = async (
    { caller, slug }: Omit<ContractRequest, 'id'>,
    order: AuthorOrder,
    repeat: Repeat,
  ): Promise<WithReplayed<DeployedContract>> => {
    machineFor(reader, { caller, slug }, needs.author)
    const sound = judge(order.definition, caller)
    const ready = readyContract(sound)
    await rooms.look(slug)
    const id = toHex(randomBytes(ID_BYTES))
    const { scope, key, input } = repeatOf(repeat, veil)
    const making = plan({ caller, slug, id }, order, { sound, ready })
    let stands = false
    try {
      const made = await once(context, { caller, scope, key, input: input as Json }, making)
      stands = made.answer === id
      const row = contracts.peek(made.answer) as ContractRow
      const names = await secretNames(store, row.id)
      const contract = contractViewOf(row, contracts.version(row.id, row.version_no), names)
      return { contract, warnings: sound.warnings, replayed: made.replayed }
    } finally {
      rooms.settle(slug, id, stands)
    }
  }

  return {
    /**
     * A new contract on a machine; it waits to be started unless `start` says so.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CONTRACT_INVALID, SECRET_UNKNOWN, CAPACITY_EXCEEDED, MACHINE_NOT_ACTIVE
     */
    create,
    /** The same of a template with values in its places. @throws Fault as {@link create}; NOT_FOUND for the template */
    fromTemplate: async (
      asking: Omit<ContractRequest, 'id'>,
      { template, parameters, ...order }: TemplateOrder,
      repeat: Repeat,
    ) => {
      machineFor(reader, asking, needs.author)
      const filled = fillTemplate(template, parameters)
      const from = { template, parameters: { ...filled.parameters } }
      return create(asking, { ...order, definition: filled.definition, filled: from }, repeat)
    },
    /** The same of an exported file. @throws Fault as {@link create} */
    imported: async (
      asking: Omit<ContractRequest, 'id'>,
      { contract, ...order }: Omit<AuthorOrder, 'definition'> & { readonly contract: unknown },
      repeat: Repeat,
    ) => {
      machineFor(reader, asking, needs.author)
      return create(asking, { ...order, definition: definitionIn(contract) }, repeat)
    },
  }
}
