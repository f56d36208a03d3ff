/** The rows of the table of help that are about contracts. */
export const contractFaultHelp = {
  CONTRACT_INVALID: {
    when: 'The definition of a contract, or what becomes of a running one under it, has faults. Nothing changed.',
    remedy: '`faults` names each with its path and reason. `tickmesh contracts lint` finds the same without a node.',
  },
  TARGET_REFUSED: {
    when: 'A webhook or an oracle names an address that is private, link-local, or else not of the public network.',
    remedy: 'Name a public host. The owner of the node may add addresses by the setting `contracts.targets`.',
  },
  SECRET_UNKNOWN: {
    when: 'The definition names a secret that the contract was not given.',
    remedy: '`secrets` lists the names that lack. Send them with the definition; they are never shown again.',
  },
  NO_TRANSITION: {
    when: 'The contract is in a state out of which nothing leads for this event or transition.',
    remedy: '`state` says where it stands. `GET /api/chain/{slug}/contracts/{id}/preview` lists what could come next.',
  },
  GUARD_FALSE: {
    when: 'There is a transition, and its guard does not hold with the values of now.',
    remedy: '`seen` lists each guard and the values that it read.',
  },
  CONTRACT_FROZEN: {
    when: 'The contract was frozen. It is read as before, and never fires again.',
    remedy: 'Export it and import it as a new one.',
  },
  CONTRACT_FIRING: {
    when: 'A fire of the contract is under way, and this would come in between.',
    remedy: 'Call again when it is over: `fire` names it.',
  },
  VERSION_CONFLICT: {
    when: 'The header `If-Match` names another version than the contract has now.',
    remedy: 'Read the contract again, and send the change with its version.',
  },
  NOTHING_TO_SKIP: {
    when: 'No due instant lies ahead of the contract, or the next one is to be skipped already.',
    remedy: '`GET /api/chain/{slug}/contracts/{id}/next-fires` lists what is due.',
  },
  BUDGET_SPENT: {
    when: 'The credits or fires that the contract may use in a day are used up. Nothing was charged.',
    remedy: 'Wait for the next day, or change `budget` in the definition.',
  },
} as const
