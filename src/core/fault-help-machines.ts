/** The rows of the table of help that are about tokens and transactions of machines. */
export const machineFaultHelp = {
  TOKEN_EXISTS: {
    when: 'The machine has had the genesis of its token, which is made once.',
    remedy: 'Read it: `GET /api/chain/{slug}/tally/supply`.',
  },
  SUPPLY_EXHAUSTED: {
    when: 'One mint would issue more units of the token than may still come into being; burned ones do not come back.',
    remedy: '`remaining` says how many units may still come into being. Take a smaller `amount`.',
  },
  TX_REPLAYED: {
    when: 'The machine has taken a transaction of this signer with this nonce: the same one, or another.',
    remedy: '`tx` and `seq` say which, and where it stands in the chain. For a new one sign anew, with a fresh nonce.',
  },
} as const
