// Goal: a person is shown what was read of a question before anything is sealed, and the receipt says whether they
// said yes to it. Method: the asking itself with a terminal of the test; the command against a running node, whose
// receipts are verified, altered and deprived of the question.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { ResultOf } from '#api/result-of.ts'
import type { Io } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { confirmedReading } from '#cli/reading.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/auto')
const MS_MAX = 90_000

const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()

const WORDS = 'kinetic energy of 2 kg at 3 m/s'

const read = {
  reading_digest: 'a'.repeat(64),
  reading: {
    ...{ kind: 'operators', route: 'POST /api/svc/compute', solver: null, operators: ['KO42', 'NM23'] },
    ...{ title: 'Kinetic energy', because: ['kinetic energy'], settings: [], defaults: { g: 9.81 } },
    ...{ corrections: [{ from: 'kinteic', to: 'kinetic' }], unread: ['gold'], input: {}, alternatives: [] },
    bound: [{ input: 'm', from: 'query', given: '2 kg', value: 2, unit: 'kg' }],
  } as unknown as ResultOf<'compute.auto'>['reading'],
}

/** What was said, and a terminal that answers so; none where it has no answer. */
const talk = (answer: string | undefined, options: { readonly yes?: boolean; readonly quiet?: boolean } = {}) => {
  const said: string[] = []
  const io: Io = {
    ...{ json: false, quiet: options.quiet === true, yes: options.yes === true, gone: new AbortController().signal },
    ...{ columns: undefined, out: () => undefined, drained: async () => undefined, redraw: () => undefined },
    say: (text) => void (options.quiet === true || said.push(text)),
    complain: (text) => void said.push(text),
    ask:
      answer === undefined
        ? undefined
        : async (question) => {
            said.push(question)
            return answer
          },
  }
  return { io, said }
}

const { signal } = new AbortController()

test('the reading is shown and asked about; only a yes confirms it, and a no seals nothing', async () => {
  for (const quiet of [false, true]) {
    const { io, said } = talk('y', { quiet })
    assert.equal(await confirmedReading(io, read, signal), read.reading_digest)
    const [shown = '', question] = said
    assert.match(shown, /^I read: +POST \/api\/svc\/compute: Kinetic energy/)
    for (const part of ['m ', '2 kg (from 2 kg)', '“kinteic” for “kinetic”', 'gold', 'g=9.81']) {
      assert.ok(shown.includes(part), `${part}: ${shown}`)
    }
    assert.equal(question, 'Seal this? [y/N] ')
  }
  for (const answer of ['n', '', 'what']) {
    const { io } = talk(answer)
    await assert.rejects(
      confirmedReading(io, read, signal),
      (error) => error instanceof CliError && error.code === 'NOT_CONFIRMED',
    )
  }
  const beforehand = talk('n', { yes: true })
  assert.equal(await confirmedReading(beforehand.io, read, signal), read.reading_digest)
  assert.equal(beforehand.said.length, 1, 'nothing is asked')
  const nobody = talk(undefined)
  assert.equal(await confirmedReading(nobody.io, read, signal), undefined)
  assert.match(nobody.said.at(-1) ?? '', /not confirmed: .*--yes/)
  assert.equal(await confirmedReading(talk(undefined, { yes: true }).io, read, signal), read.reading_digest)
})

const keyOf = async (): Promise<string> => (await run(['keys', 'trusted'])).stdout.trim()

const asked = (file: string): Answer => {
  const { envelope } = JSON.parse(readFileSync(`${dir.path}/${file}`, 'utf8')) as { envelope: { claim: Answer } }
  assert.equal(envelope.claim['v'], 2)
  return envelope.claim['asked'] as Answer
}

test(
  'with --yes the receipt is one of the question, off a terminal without it one of the reading; replay confirms both',
  async () => {
    const key = await keyOf()
    for (const [yes, file, answers, line] of [
      [true, 'yes.json', /the question, as read and confirmed/, /Answers the question “kinetic energy of 2 kg/],
      [
        false,
        'no.json',
        /which was not confirmed; not the question/,
        /not confirmed by the caller, and not the question/,
      ],
    ] as const) {
      const args = ['auto', WORDS, '--bundle', file, ...(yes ? ['--yes'] : [])]
      const text = await run(args)
      assert.equal(text.code, 0, text.stderr)
      assert.match(text.stderr, /^I read: /)
      assert.match(text.stderr, /2 kg \(from 2 kg\)/)
      assert.equal(/not confirmed: /.test(text.stderr), !yes)
      assert.match(text.stdout, answers)
      assert.equal(asked(file)['confirmed'], yes)
      const verified = await run(['verify', file, '--key', key, '--replay'])
      assert.equal(verified.code, 0, verified.stdout)
      assert.match(verified.stdout, line)
      assert.match(verified.stdout, /I read: operators NM23, with m = 2 kg \(“2 kg”\)/)
      const { answer } = await json(['verify', file, '--key', key])
      assert.match(String((answer['files'] as readonly Answer[])[0]?.['answers']), line)
    }
    const { answer } = await json(['auto', WORDS, '--yes', '--quiet'])
    assert.equal((answer['answer'] as Answer)['confirmed'], true)
  },
  MS_MAX,
)

test(
  'an altered question fails its step; one that is not there leaves it unchecked; a quote says what is read',
  async () => {
    const key = await keyOf()
    const bundle = JSON.parse(readFileSync(`${dir.path}/yes.json`, 'utf8')) as Answer & { question: Answer }
    const save = (name: string, value: object): string => {
      writeFileSync(`${dir.path}/${name}`, JSON.stringify(value))
      return name
    }
    const other = { ...bundle, question: { ...bundle.question, query: 'kinetic energy of 3 kg at 3 m/s' } }
    const altered = await json(['verify', save('altered.json', other), '--key', key])
    assert.deepEqual([altered.code, altered.answer['failing']], [3, 'question'])
    const { question: _, ...rest } = bundle
    const hidden = await json(['verify', save('hidden.json', rest), '--key', key])
    const [file] = hidden.answer['files'] as readonly Answer[]
    assert.deepEqual([hidden.code, file?.['unchecked']], [4, ['question']])
    const plain = await run(['compute', 'NM23', 'm=2', 'v=3 m/s', '--bundle', 'plain.json'])
    assert.equal(plain.code, 0, plain.stderr)
    const first = JSON.parse(readFileSync(`${dir.path}/plain.json`, 'utf8')) as object
    const added = await json(['verify', save('added.json', { ...first, question: bundle.question }), '--key', key])
    assert.deepEqual([added.code, added.answer['failing']], [3, 'form'])
    const quote = await run(['auto', WORDS, '--quote'])
    assert.match(quote.stdout, /reading +I read: operators NM23/)
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
