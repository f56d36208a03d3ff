import { didYouMean, slipsOf } from '#core/near-names.ts'
import { wholeOr } from '../bench.ts'

/** What `npm run bench -- solvers` was asked for. */
export interface Order {
  /** Rounds of every row; without, each has as many as it can afford. */
  readonly rounds: number | undefined
  /** The solvers asked for, each once; none means all. */
  readonly names: readonly string[]
  readonly install: boolean
  /** Where the report as JSON goes, if anywhere: a path, or `-` for stdout. */
  readonly json: string | undefined
}

/**
 * Reads `[rounds] [names] [--install] [--json[=path]]`.
 *
 * @param words as they were typed.
 * @param known names of the solvers that have a bench.
 * @throws Error a sentence for whoever typed them; with an unknown name stand those it may be a slip of.
 */
export const orderOf = (words: readonly string[], known: readonly string[]): Order => {
  const flags = words.filter((it) => it.startsWith('-'))
  const strange = flags.find((it) => it !== '--install' && it !== '--json' && !/^--json=./.test(it))
  if (strange !== undefined) throw new Error(`No option ${strange}: there are --install and --json[=path].`)
  const plain = words.filter((it) => !it.startsWith('-'))
  const counted = /^\d/.test(plain[0] ?? '')
  const names = [...new Set(plain.slice(counted ? 1 : 0))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const meant = didYouMean(slipsOf(unknown, known)) || ` There are ${known.join(', ')}.`
    throw new Error(`No solver ${unknown} has a bench.${meant}`)
  }
  const json = flags.findLast((it) => it.startsWith('--json'))
  return {
    rounds: counted ? wholeOr(plain[0], 1) : undefined,
    names,
    install: flags.includes('--install'),
    json: json === undefined ? undefined : json.slice('--json='.length) || '-',
  }
}
