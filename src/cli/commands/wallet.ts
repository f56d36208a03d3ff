import { claimText } from '#cli/claim-text.ts'
import { command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { moveRows } from '#cli/moves.ts'
import { countHomes, homeWords } from '#cli/wallet.ts'

/** Moves that are shown; `envelopes history` has the others. */
const MOVES = 5

export const wallet = command({
  path: 'wallet',
  settings: 'node',
  summary: 'Show what the account has: balances, the daily claim, envelopes by home and folder, the newest moves.',
  examples: ['tickmesh wallet', 'tickmesh wallet --json'],

  async run(invocation) {
    const { io, signal } = invocation
    const { client } = connect(invocation)
    const balances = await client.call('economy.credits', {}, { signal })
    const { zid } = balances
    // What no account owns does not move.
    const owned = zid.startsWith('zid1')
    const [{ folders }, { total: movable }, homes, { node }, { moves }] = await Promise.all([
      client.call('economy.folders', { zid }, { signal }),
      client.call('economy.envelopes', { zid, limit: 1, offset: 0, movable: true }, { signal }),
      countHomes(client, zid, signal),
      client.call('identity.node', {}, { signal }),
      owned ? client.call('economy.moves', { limit: MOVES }, { signal }) : { moves: [] },
    ])
    const envelopes = { ...homes, movable, folders }
    present(io, { ...balances, envelopes, moves }, () => {
      const { free, paid, held, coins } = balances
      const rows = [
        ['account', zid],
        ['free', `${free} (computations that stay with you)`],
        ['paid', `${paid} (computations that can be sent on)`],
        ...(held > 0 ? [['held', `${held} for what runs`]] : []),
        ['coins', `${coins} (faces of what paid credits bought; never credits again)`],
        ['daily claim', claimText(balances)],
        ['envelopes', `${homes.total}, of which ${movable} can be sent`],
        ...homes.homes.map(({ home, count }) => ['home', `${homeWords(home, node)}: ${count}`]),
        ...folders.map(({ folder, count }) => ['folder', `${folder === '' ? 'Unfiled' : folder}: ${count}`]),
      ]
      const partial = homes.partial ? [`homes are those of the newest ${homes.counted}`] : []
      return [table(rows), ...partial, ...(moves.length === 0 ? [] : ['newest moves', table(moveRows(moves))])].join(
        '\n',
      )
    })
    return exits.ok
  },
})
