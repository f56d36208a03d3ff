/** A function of x, y, z (or x1 to x9) that stands in a query. */
export interface WrittenExpression {
  /** As it was written. */
  readonly written: string
  /** With the symbols x1, x2 …, and every product marked. */
  readonly text: string
  /** Coordinates that it has: the highest number of its symbols. */
  readonly dimension: number
  /** The query without it. */
  readonly rest: string
}

// Each place of a text has one reading as a token: no run is tried twice.
const NUMBER = String.raw`(?<![\p{L}\d.])\d+(?:\.\d+)?(?!\d|\.\d)`
const CALL = String.raw`(?:abs|cosh|cos|exp|ln|log|sinh|sin|sqrt|tanh)(?=\()`
const TOKEN = String.raw`(?:${NUMBER}|x(?:[1-9](?!\d)|(?!\d))|[yz]|${CALL}|[-+*/^()])`
const RUN = new RegExp(String.raw`(?<![\p{L}\p{N}])${TOKEN}(?:\s*${TOKEN})*(?![\p{L}\p{N}])`, 'gu')
const NUMBERED: Readonly<Record<string, string>> = { x: 'x1', y: 'x2', z: 'x3' }

/** The first function that a query holds: a run of numbers, signs and symbols with at least one sign and one symbol. */
export const expressionIn = (query: string): WrittenExpression | undefined => {
  for (const found of query.matchAll(RUN)) {
    const written = found[0].trim()
    if (!/[-+*/^(]/u.test(written) || !/(?<!\p{L})[xyz]/u.test(written)) continue
    const text = written
      .replace(/(?<![\p{L}\p{N}])[xyz](?!\d)|(?<=\d)[xyz](?![\p{L}\d])/gu, (it) => NUMBERED[it] ?? it)
      .replace(/(?<=(?:^|[^\p{L}\p{N}])\d+(?:\.\d+)?)\s*(?=[\p{L}(])/gu, '*')
    const dimension = Math.max(...[...text.matchAll(/x([1-9])/gu)].map(([, digit]) => Number(digit)))
    const at = found.index
    return { written, text, dimension, rest: `${query.slice(0, at)} ${query.slice(at + written.length)}` }
  }
  return undefined
}
