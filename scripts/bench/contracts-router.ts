// `node scripts/bench/contracts-router.ts [--misses]`: how well POST /api/contracts/generate reads the sentences of
// protocols/contracts/sentences.jsonl. A tenth is held out, those whose SHA-256 begins with a number that 10 divides;
// nothing was tuned on it, and no miss of it is named. What counts is whether the template is the one of the label
// (none, where none fits: then it asks), and, apart from that, whether each value of the label was read as it is.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { loadTemplates } from '#domain/contracts/templates/load.ts'
import { shelfOf } from '#routing/contracts/rank.ts'
import { readSentence, type SentenceReading } from '#routing/contracts/sentence.ts'

/** A labelled sentence: the template that it asks for, null where none fits, and values that must be read so. */
export interface LabelledSentence {
  readonly sentence: string
  readonly template: string | null
  readonly values?: Readonly<Record<string, number | string>>
}

/** What came of a sentence. */
export interface SentenceRead {
  readonly labelled: LabelledSentence
  readonly reading: SentenceReading
  readonly held: boolean
  readonly routed: boolean
  /** Values that were read otherwise than the label says, with what was read. */
  readonly misread: readonly string[]
}

const HELD_OUT_OF = 10

const isHeld = (sentence: string): boolean =>
  Number.parseInt(toHex(sha256(utf8(sentence))).slice(0, 8), 16) % HELD_OUT_OF === 0

/** The labelled sentences. */
export const sentences = (): readonly LabelledSentence[] =>
  readFileSync(new URL('../../protocols/contracts/sentences.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LabelledSentence)

/** Reads them all. */
export const readSentences = (all: readonly LabelledSentence[]): readonly SentenceRead[] => {
  const shelf = shelfOf(loadTemplates())
  return all.map((labelled) => {
    const reading = readSentence(shelf, labelled.sentence)
    const got = new Map(reading.binding.bound.map(({ name, value }) => [name, value]))
    const misread = Object.entries(labelled.values ?? {}).flatMap(([name, value]) =>
      got.get(name) === value ? [] : [`${name}: ${String(got.get(name))}, not ${value}`],
    )
    const routed = (reading.template?.id ?? null) === labelled.template
    return { labelled, reading, held: isHeld(labelled.sentence), routed, misread }
  })
}

const share = (some: readonly unknown[], all: readonly unknown[]): number =>
  all.length === 0 ? 1 : some.length / all.length

/** Of some sentences, the share whose template is that of the label. */
export const routedShare = (reads: readonly SentenceRead[]): number =>
  share(
    reads.filter(({ routed }) => routed),
    reads,
  )

/** Of those whose label has values, the share that was routed and whose every value was read. */
export const wholeShare = (reads: readonly SentenceRead[]): number => {
  const valued = reads.filter(({ labelled }) => labelled.values !== undefined)
  return share(
    valued.filter(({ routed, misread }) => routed && misread.length === 0),
    valued,
  )
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

const print = (): void => {
  const reads = readSentences(sentences())
  for (const [part, its] of [
    ['tuned on', reads.filter(({ held }) => !held)],
    ['held out', reads.filter(({ held }) => held)],
  ] as const) {
    const valued = its.filter(({ labelled }) => labelled.values !== undefined)
    const line = `${part}: ${its.length} sentences, routed ${percent(routedShare(its))}`
    process.stdout.write(`${line}; ${valued.length} with values, all of them read ${percent(wholeShare(its))}\n`)
  }
  if (!process.argv.includes('--misses')) return
  for (const { labelled, reading, routed, misread } of reads.filter(({ held }) => !held)) {
    const got = reading.template?.id ?? `asks (${reading.alternatives.map(({ template }) => template.id).join(', ')})`
    if (!routed) process.stdout.write(`\n${labelled.sentence}\n  ${got}, not ${labelled.template}\n`)
    else if (misread.length > 0) process.stdout.write(`\n${labelled.sentence}\n  ${misread.join('; ')}\n`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print()
