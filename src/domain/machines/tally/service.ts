import { Fault } from '#core/fault.ts'
import { tokenEntries } from '#core/token-ranges.ts'
import { type MachineContext, type MachineRequest, once, type Replayable } from '#domain/machines/context.ts'
import { assertActive, recordedOf, say, sayAsNode, type Writing } from '#domain/machines/record.ts'
import { admitted } from '#domain/machines/roles.ts'
import type { TokenMade, TokenSupply } from '#domain/machines/views.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import { entryRef, TOKEN_SOURCE, TOKEN_SOURCES, tokenAsset, tokenDigits } from '#store/rows/machine-token.ts'
import type { Transaction } from '#store/transaction.ts'
import { createMint } from './mint.ts'
import { issueIn, moveIn, shownOn, tokenOf } from './parts.ts'
import { createSettle } from './settle.ts'
import { createToken } from './token.ts'
import { createUnits } from './units.ts'
import { createTallyVerify } from './verify.ts'

/** What a token is to be, once and for good. */
export interface GenesisOrder {
  readonly name: string
  readonly symbol: string
  readonly max_supply: number
  /** Units that the machine's owner begins with. */
  readonly initial: number
}

/** Units that go from the owner of a machine to an account of this node. */
export interface TokenTransfer {
  /** ZID. */
  readonly to: string
  readonly amount: number
}

/**
 * Why transfers of a machine's token cannot be made together, or undefined when they can: the sum counts, since they
 * stand in one batch. Nothing is changed.
 */
const transferProblem = (
  tx: Pick<Transaction, 'get' | 'balance'>,
  machine: MachineRow,
  transfers: readonly TokenTransfer[],
): Fault | undefined => {
  if (transfers.length === 0) return undefined
  if (tokenOf(tx, machine) === undefined) {
    return new Fault('INSUFFICIENT_BALANCE', 'The machine has no token.', { price: transfers[0]?.amount ?? 0 })
  }
  for (const { to, amount } of transfers) {
    if (!Number.isSafeInteger(amount) || amount <= 0) {
      return new Fault('INVALID_INPUT', 'A transfer moves a positive whole number of units.', { errors: [] })
    }
    if (tx.get('account', to) === undefined) return new Fault('UNKNOWN_ZID', undefined, { zid: to })
    if (to === machine.owner_zid) return new Fault('INVALID_INPUT', 'The owner has these units already.', { to })
  }
  const price = transfers.reduce((sum, it) => sum + it.amount, 0)
  const asset = tokenAsset(machine.id_hash)
  const has = tx.balance(asset, machine.owner_zid)
  if (price <= has) return undefined
  const detail = `The owner of the machine has ${has} units of its token; ${price} are needed.`
  return new Fault('INSUFFICIENT_BALANCE', detail, { price, [asset]: has })
}

/** Writes a token that an entry has just told of. */
const found = (tx: Transaction, machine: MachineRow, said: MachineEntryRow, order: GenesisOrder): void => {
  const { slug, id_hash, owner_zid: credit } = machine
  const { name, symbol, max_supply, initial: amount } = order
  const { seq, tick } = said.entry
  tx.put('machineToken', tokenDigits(id_hash), { slug, name, symbol, max_supply, seq, tick })
  const empty = { issued: 0, moved: 0, sealed: 0, description: null, avatar: null }
  tx.put('tokenStanding', tokenDigits(id_hash), empty)
  if (amount === 0) return
  const of = { asset: tokenAsset(id_hash), reason: tokenEntries.genesis, ref: entryRef(slug, seq) }
  tx.post({ ...of, debit: TOKEN_SOURCE, credit, amount })
  issueIn(tx, machine, said, amount)
}

/** Tokens of machines: made once, moved by what a machine's contracts do. */
export const createTally = (context: MachineContext) => {
  const { store } = context
  const settle = createSettle(context)

  return {
    /**
     * Makes a machine's token, for its owner.
     *
     * @throws Fault TOKEN_EXISTS, INVALID_INPUT, NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED
     */
    tokenGenesis: async (writing: Writing, order: GenesisOrder): Promise<Replayable<TokenMade>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      const { name, symbol, max_supply, initial } = order
      admitted({ get: store.peek }, { slug, caller, needed: 'owner' })
      if (initial > max_supply) {
        const errors = [{ path: '/initial', message: `is more than the ${max_supply} units that there may ever be` }]
        throw new Fault('INVALID_INPUT', 'A token cannot begin with more units than there may ever be.', { errors })
      }
      const input = { slug, name, symbol, max_supply, initial }
      return once(context, { caller, scope, key, input }, (tx) => {
        const { machine, standing } = admitted(tx, { slug, caller, needed: 'owner' })
        assertActive(machine)
        // Of two machines whose first digits are the same the second has no room: one asset is one token.
        if (tx.get('machineToken', tokenDigits(machine.id_hash)) !== undefined) throw new Fault('TOKEN_EXISTS')
        const asset = tokenAsset(machine.id_hash)
        const members = shownOn(machine, { name, symbol, max_supply, initial })
        const { open, secret } = members
        const saying = { type: tokenEntries.genesis, open: { asset, ...open }, secret, caller, standing }
        const said = say(context, tx, machine, saying)
        found(tx, machine, said, order)
        return { slug, asset, name, symbol, max_supply, initial, recorded: recordedOf(slug, said) }
      })
    },

    /** How much there is of a machine's token. @throws Fault NOT_FOUND also when it has none. */
    tokenSupply: ({ caller, slug }: MachineRequest): TokenSupply => {
      const { machine } = admitted({ get: store.peek }, { slug, caller, needed: 'none' })
      const row = tokenOf({ get: store.peek }, machine)
      if (row === undefined) throw new Fault('NOT_FOUND', 'The machine has no token.')
      const asset = tokenAsset(machine.id_hash)
      const { name, symbol, max_supply, seq, tick } = row
      const issued = TOKEN_SOURCES.reduce((sum, it) => sum - store.balance(asset, it), 0)
      const supply = store.supply(asset)
      const amounts = { max_supply, issued, supply, burned: issued - supply, remaining: max_supply - issued }
      return { slug, asset, name, symbol, ...amounts, genesis_seq: seq, genesis_tick: tick }
    },

    ...createMint(context, settle),
    ...createToken(context, settle),
    ...createUnits(context, settle),
    ...createTallyVerify(context, settle),

    transferProblem,

    /**
     * Moves units of a machine's token from its owner to an account of this node, as the node's own word in the chain,
     * in the batch of what caused it.
     *
     * @param ref what caused it: a fire.
     * @throws Fault what {@link transferProblem} says: INSUFFICIENT_BALANCE, UNKNOWN_ZID, INVALID_INPUT
     */
    transferIn: (
      tx: Transaction,
      { machine, to, amount, ref }: TokenTransfer & { readonly machine: MachineRow; readonly ref: string },
    ): MachineEntryRow => {
      const problem = transferProblem(tx, machine, [{ to, amount }])
      if (problem !== undefined) throw problem
      const { slug, owner_zid: debit } = machine
      const asset = tokenAsset(machine.id_hash)
      const { open, secret } = shownOn(machine, { to, amount })
      const said = sayAsNode(context, tx, machine, {
        type: tokenEntries.transfer,
        open: { asset, ref, ...open },
        secret,
      })
      const why = { reason: tokenEntries.transfer, ref: entryRef(slug, said.entry.seq) }
      tx.post({ asset, debit, credit: to, amount, ...why })
      moveIn(tx, machine, said, { to, amount, open: machine.is_public })
      return said
    },
  }
}
