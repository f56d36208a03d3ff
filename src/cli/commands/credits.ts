import { type Command, command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'

const status = command({
  path: 'credits status',
  settings: 'node',
  summary: 'Show balances.',
  examples: ['tickmesh credits status'],
  async run(invocation) {
    const { client } = connect(invocation)
    const answer = await client.call('economy.credits', {}, { signal: invocation.signal })
    present(invocation.io, answer, () =>
      table([
        ['account', answer.zid],
        ['free', String(answer.free)],
        ['paid', String(answer.paid)],
        ['held', String(answer.held)],
        ['available', String(answer.available)],
        ['coins', String(answer.coins)],
        ['daily claim', answer.claim.state],
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

export const credits: readonly Command[] = [status, grant]
