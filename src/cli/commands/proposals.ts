import { type Command, command } from '#cli/command.ts'
import { confirm } from '#cli/confirm.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { exits } from '#cli/exit.ts'
import { readJsonFile } from '#cli/input.ts'
import { present, table } from '#cli/io.ts'
import { inPerson } from '#cli/person.ts'
import { closeText, proposalText, tallyText } from '#cli/proposal-text.ts'

const ID = 'a3f0…'

const list = endpointCommand({
  path: 'proposals list',
  endpoint: 'network.proposals',
  examples: ['tickmesh proposals list', 'tickmesh proposals list --limit 10'],
  text: ({ proposals, total, mesh_tick: now }) =>
    total === 0
      ? 'no vote was opened yet'
      : table(proposals.map((it) => [it.id, it.state, it.operator, it.name, closeText(it, now), tallyText(it)])),
})

const show = endpointCommand({
  path: 'proposals show',
  endpoint: 'network.proposal',
  words: ['id'],
  examples: [`tickmesh proposals show ${ID}`],
  text: proposalText,
})

const propose = endpointCommand({
  path: 'proposals propose',
  endpoint: 'network.propose',
  args: [{ name: '<file>', help: 'JSON with row, cases and, if need be, window_ticks; - is stdin', choices: 'files' }],
  summary: 'Draft a proposal: a row of the table of operators with its source and three or more known values.',
  examples: ['tickmesh proposals propose kinetic-energy.json'],
  prepare: async (input, { args: [file = '-'], signal }) => ({
    ...(await readJsonFile(file === '-' ? '-' : `@${file}`, signal)),
    ...input,
  }),
  text: (it) => `${proposalText(it)}\n\nopen its vote with: tickmesh proposals open-vote ${it.id}`,
})

const openVote = endpointCommand({
  path: 'proposals open-vote',
  endpoint: 'network.open-vote',
  words: ['id'],
  question: () => 'Open the vote? Its close is fixed then, and nothing of the proposal can be changed.',
  examples: [`tickmesh proposals open-vote ${ID}`],
  text: proposalText,
})

const stake = endpointCommand({
  path: 'proposals stake',
  endpoint: 'network.stake',
  words: ['id', 'side'],
  question: ({ side, count, token_ids }) =>
    `Lock ${count ?? token_ids?.length ?? 0} envelopes for ${side}? They come back when the vote was counted.`,
  examples: [
    `tickmesh proposals stake ${ID} yes --count 10`,
    `tickmesh proposals stake ${ID} no --token-ids '["01ab…"]'`,
  ],
  text: ({ op_digest, stake: { side, count, counting, why, locked_until } }) =>
    table([
      ['staked', `${count} envelopes for ${side}`],
      ['counting', why === null ? counting : `${counting}: ${why}`],
      ['lock', op_digest],
      ['until', `mesh tick ${locked_until} at the latest`],
    ]),
})

const resolve = endpointCommand({
  path: 'proposals resolve',
  endpoint: 'network.resolve',
  words: ['id'],
  examples: [`tickmesh proposals resolve ${ID}`],
  text: (it) =>
    table([
      ['state', `${it.state}${it.settled ? ', settled' : `, settled from mesh tick ${it.settles} on`}`],
      ['count', tallyText(it)],
      ['root', it.tally.root],
      ['returned', `${it.returned} envelopes of accounts of this node`],
    ]),
})

const promote = command({
  path: 'proposals promote',
  summary: 'Let a proposal through that passed, in person, on the node of this data directory.',
  args: [{ name: '<id>', help: 'id of the proposal' }],
  examples: [`tickmesh proposals promote ${ID}`],
  async run(invocation) {
    const { io, signal, args } = invocation
    const [id = ''] = args
    await confirm(io, `Let ${id} through? The merge into the table is a maintainer's act, and follows.`, signal)
    const promoted = await inPerson(invocation, (client) =>
      client.call('network.promote', { id, confirm: true }, { signal }),
    )
    present(io, promoted, () => proposalText(promoted))
    return exits.ok
  },
})

export const proposals: readonly Command[] = [list, show, propose, openVote, stake, resolve, promote]
