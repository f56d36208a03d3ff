/** A row that is not what was written: which one, and what is wrong with it. */
export class CorruptRow extends Error {
  override readonly name = 'CorruptRow'
  readonly table: string
  readonly key: string
  readonly what: string
  constructor(table: string, key: string, what: string) {
    super(`${table} ${JSON.stringify(key)}: ${what}`)
    this.table = table
    this.key = key
    this.what = what
  }
}
