/** First words that are no commands themselves, with what `--help` says of them. */
export const groups: Readonly<Record<string, string>> = {
  keys: 'API keys of the account, and the key that others pin.',
  zid: 'A ZID whose key is your own: made, shown, and signed with, without a node.',
  credits: 'Balances, the daily claim, and grants by the owner.',
  proposals: 'Operators that somebody proposes for the table, and the votes on them.',
  jobs: 'Computations that go on after the call that began them.',
  watch: 'A job or a machine, followed as it goes on.',
  reactor: 'A solver stepped again and again from where it ended, each step sealed and chained.',
  machines: 'State machines: hash-linked chains, their members, keys and feeds.',
  'machines state': 'State snapshots by their hash.',
  'machines members': 'Who has which role.',
  'machines keys': 'API keys of one machine (zsm_…).',
  'machines anchors': 'Heads of machines in the chain of another one.',
  config: 'Settings.',
  backup: 'Archives of data and keys.',
  service: 'The node as a service of systemd.',
}
