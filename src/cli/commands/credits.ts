import { claimText } from '#cli/claim-text.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'

const machineOption = {
  flags: '--machine <slug>',
  help: "whose day is spent too; the account's oldest active machine when left out",
  choices: 'machines',
} as const

const machineOf = ({ options: { machine } }: Invocation): string | undefined =>
  typeof machine === 'string' ? machine : undefined

const status = command({
  path: 'credits status',
  settings: 'node',
  summary: 'Show balances, and whether the daily claim is open.',
  options: [machineOption],
  examples: ['tickmesh credits status', 'tickmesh credits status --machine pump'],
  async run(invocation) {
    const { client } = connect(invocation)
    const machine = machineOf(invocation)
    const input = machine === undefined ? {} : { machine }
    const answer = await client.call('economy.credits', input, { signal: invocation.signal })
    present(invocation.io, answer, () =>
      table([
        ['account', answer.zid],
        ['free', String(answer.free)],
        ['paid', String(answer.paid)],
        ['held', String(answer.held)],
        ['available', String(answer.available)],
        ['coins', String(answer.coins)],
        ['daily claim', claimText(answer)],
        ['prior claims', String(answer.claim.prior_claims)],
      ]),
    )
    return exits.ok
  },
})

const claim = command({
  path: 'credits claim',
  settings: 'node',
  summary: 'Claim the free credits of the day: 128, when the balance is nearly out, for a proof of work.',
  options: [machineOption, { flags: '--wait', help: 'wait for the next UTC day where this one is claimed already' }],
  examples: ['tickmesh credits claim', 'tickmesh credits claim --machine pump --wait'],
  async run(invocation) {
    const { io, signal, options } = invocation
    const { client } = connect(invocation)
    const { claimCredits } = await import('#cli/claim.ts')
    const answer = await claimCredits({
      client,
      machine: machineOf(invocation),
      wait: options['wait'] === true,
      io,
      signal,
    })
    const { credits: got, free, paid, day, machine, unlocks_at: next } = answer
    present(io, answer, () =>
      table([
        ['claimed', `${got} free credits`],
        ['free', String(free)],
        ['paid', String(paid)],
        ['day', `${day} (UTC)`],
        ['machine', machine ?? 'none'],
        ['next claim', `from ${next} on, when nearly out`],
      ]),
    )
    return exits.ok
  },
})

const grant = command({
  path: 'credits grant',
  settings: 'node',
  summary: "Give paid credits to an account, as the node's owner; a signed leaf of the log.",
  args: [
    { name: '<zid>', help: 'whom' },
    { name: '<credits>', help: 'how many, a whole number' },
  ],
  options: [
    { flags: '--reason <text>', help: 'kept with the grant' },
    {
      flags: '--idempotency-key <text>',
      help: 'names this grant: a repeat under the same name gives nothing more. At random when left out',
    },
  ],
  examples: ['tickmesh credits grant zid1… 500 --reason "workshop"'],
  async run(invocation) {
    const [zid = '', amount = ''] = invocation.args
    if (!/^[1-9]\d{0,14}$/.test(amount)) throw usageError(`credits are a whole number above 0; got "${amount}"`)
    const { client } = connect(invocation)
    const { reason, idempotencyKey } = invocation.options
    const answer = await client.call(
      'economy.grant',
      { zid, credits: Number(amount), ...(typeof reason === 'string' && { reason }) },
      { signal: invocation.signal, ...(typeof idempotencyKey === 'string' && { idempotencyKey }) },
    )
    present(
      invocation.io,
      answer,
      () => `${answer.credits} credits to ${answer.zid}; ${answer.paid} paid credits there now (leaf ${answer.index})`,
    )
    return exits.ok
  },
})

export const credits: readonly Command[] = [status, claim, grant]
