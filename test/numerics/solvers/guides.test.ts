// Goal: what a stranger meets first at a solver is true: its problems by name run and seal, within what anyone may ask;
// the figures and inputs that are named exist; its page has equations that can be set, and a picture.
// Method: every preset is read, refused or not, and weighed; those of little work are run through the gate (all of them
// by scripts/presets.ts). Paths are followed through the schemas, TeX is set by the library that set-up uses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import temml from 'temml'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers as bare } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/solvers/guides')

/** Presets of more work than this are run by scripts/presets.ts alone. */
const WORK_RUN_MAX = 600

/** Bytes of a picture: it comes with its page. */
const PICTURE_BYTES_MAX = 6_000

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The types to which a path leads in a schema; none where it leads nowhere. */
const typesAt = (schema: Schema | undefined, path: readonly string[]): readonly string[] => {
  if (schema === undefined) return []
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((it) => typesAt(it, path))
  const [member, ...rest] = path
  if (member === undefined) return [schema.type ?? 'unknown']
  const within = /^\d+$/.test(member) ? schema.items : schema.properties?.[member]
  return typesAt(within, rest)
}

const told = (output: unknown, member: string): unknown =>
  member.split('.').reduce<unknown>((it, key) => (it as Record<string, unknown> | null | undefined)?.[key], output)

const registry = loadRegistry()
const solvers: readonly Solver[] = bare.map((it) => aided(it, { registry: () => registry }))

const guideOf = ({ name, guide }: Solver) => guide ?? assert.fail(`${name} has no guide`)

const distinct = (words: readonly string[]): boolean => new Set(words).size === words.length

const fileOf = (path: string): string =>
  readFileSync(new URL(`../../../protocols/solvers/${path}`, import.meta.url), 'utf8')

test('every solver has three to five problems by name and two to five figures, and names inputs of few', () => {
  for (const solver of solvers) {
    const { presets, headline, advanced } = guideOf(solver)
    assert(presets.length >= 3 && presets.length <= 5, `${solver.name}: ${presets.length} presets`)
    assert(distinct(presets.map((it) => it.name)), solver.name)
    for (const { name, about } of presets) assert.match(about, /^\S.{30,}\.$/s, `${solver.name}: ${name}`)
    assert(headline.length >= 2 && headline.length <= 5, `${solver.name}: ${headline.length} figures`)
    assert(distinct(headline.map((it) => it.member)) && distinct(headline.map((it) => it.label)), solver.name)
    for (const { member } of headline) {
      const types = typesAt(solver.output as Schema, member.split('.'))
      const shown = types.some((it) => ['number', 'integer', 'string'].includes(it))
      assert(shown, `${solver.name}: ${member} leads to ${types.join(', ') || 'nothing'}`)
    }
    assert(distinct(advanced), solver.name)
    for (const path of advanced) {
      assert(typesAt(solver.input as Schema, path.split('.')).length > 0, `${solver.name} has no input ${path}`)
    }
  }
})

for (const solver of solvers) {
  const { presets, headline } = guideOf(solver)
  test(`${solver.name}: its problems are within what anyone may ask, and those of little work seal`, () => {
    for (const { name, input: raw } of presets) {
      const input = resolveInput(solver, raw)
      solver.refuse(input)
      const work = solver.work(input)
      assert(work <= solver.limits.workAnonymousMax, `${name}: work ${work}`)
      if (work > WORK_RUN_MAX) continue
      const { outcome, reality } = produce(solver, input)
      assert(reality !== null, `${name} has no seal`)
      passGate(reality)
      const figures = headline.map(({ member }) => told(outcome.output, member))
      const known = figures.filter((it) => it !== null && it !== undefined)
      assert(known.length > 0, `${name} tells no figure`)
      for (const it of known) assert(typeof it === 'string' || Number.isFinite(it), `${name}: ${it}`)
    }
  })
}

test('every page begins with a sentence, equations that can be set, and what their symbols mean', () => {
  for (const { name } of solvers) {
    const [, head, tex, symbols] =
      /^# (.+\n\n\S[^$]+)\n\n\$\$\n([^$]+)\n\$\$\n\n([^\n].*)/.exec(fileOf(`${name}.md`)) ?? []
    assert(head?.startsWith(`${name}\n\n`), `${name} begins with its name and a sentence`)
    assert(symbols?.startsWith('where '), `${name} says what its symbols mean`)
    const set = temml.renderToString(tex ?? '', { displayMode: true, throwOnError: true })
    assert.match(set, /^<math/, name)
  }
})

test('every picture has words, takes its colours from the page, and brings nothing that runs or is fetched', () => {
  for (const { name } of solvers) {
    const svg = fileOf(`pictures/${name}.svg`)
    assert(Buffer.byteLength(svg) <= PICTURE_BYTES_MAX, `${name}: ${Buffer.byteLength(svg)} bytes`)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 320 180" role="img"/, name)
    assert.match(svg, /\n<title>\S[^<]+<\/title>\n<desc>\S[^<]+\.<\/desc>\n/, name)
    assert.match(svg, /currentColor/, name)
    assert.doesNotMatch(
      svg,
      /<(?:script|style|image|use|foreignObject|a)\b|\bhref=|\bon\w+=|\bstyle=|url\(|\bid=/,
      name,
    )
  }
})

test.run()
