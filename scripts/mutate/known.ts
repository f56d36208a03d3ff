import type { Mutant } from './sites.ts'

/** A mutant that no test can tell, or that need not be told, and why. */
export interface Known extends Pick<Mutant, 'file' | 'source' | 'was' | 'becomes'> {
  readonly why: string
}

/** Known by file, line and change: a line that is written anew is judged anew. */
export const known: readonly Known[] = [
  {
    file: 'src/core/chain-file.ts',
    source: 'const walk = chainWalk({ seq: 0, previous: genesis_hash, tick: first?.tick ?? 0 })',
    was: '0',
    becomes: '1',
    why: 'A chain has an entry by its form: the tick of none is there for its type. The other 0 of the line is caught.',
  },
  {
    file: 'src/core/units.ts',
    source: 'const KNOWN_MAX = 4_096',
    was: '4_096',
    becomes: '0',
    why: 'How many units are kept once read changes no answer, only how soon it is there.',
  },
  {
    file: 'src/core/unit-table.ts',
    source: "rad: unit(NUMBER, { angle: 1, prefixes: 'all' }),",
    was: "'all'",
    becomes: "''",
    why: 'What is neither none nor up takes every prefix, and the type allows no fourth word.',
  },
  {
    file: 'src/core/arrays.ts',
    source: 'if (value === 0 && 1 / value < 0) negativeZeros++',
    was: '&&',
    becomes: '||',
    why: 'The count decides only whether a copy is made, and adding 0 changes no number but −0.',
  },
  {
    file: 'src/core/dimension.ts',
    source: 'const common = gcd(p, q) || 1',
    was: '1',
    becomes: '0',
    why: 'No denominator is 0, so no common divisor is.',
  },
  {
    file: 'src/core/dimension.ts',
    source: 'a.map((it, i) => addExponent(it, b[i] ?? [0, 1]))',
    was: '1',
    becomes: '0',
    why: 'Every dimension has seven exponents: what stands for a missing one is there for its type alone.',
  },
  {
    file: 'src/core/merkle.ts',
    source: 'for (let level = LEVELS_MAX - 1; level >= 0; level--) {',
    was: '-',
    becomes: '+',
    why: 'No size is as large as a subtree of level 53 or 54, so two rounds more find nothing.',
  },
  {
    file: 'src/core/json.ts',
    source: "if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) {",
    was: "char === '-' || ",
    becomes: '',
    why: 'A sign that is passed over leaves the digits, of which every question has the same answer.',
  },
]

/** Why a mutant may survive; undefined when it may not. */
export const reasonOf = ({ file, source, was, becomes }: Mutant): string | undefined =>
  known.find((it) => it.file === file && it.source === source && it.was === was && it.becomes === becomes)?.why
