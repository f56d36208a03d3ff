// Goal: a reactor is made, stepped, observed, read and followed from the command line. Method: a node as a process that
// follows its own ticks; the commands in this one.
import assert from 'node:assert/strict'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/reactor')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()

test(
  'made, stepped, observed, read, verified and followed; what cannot be is refused',
  async () => {
    const words = ['heat', 'dim=1', 'nx=128', 'steps=2', '--steps', '6']
    const made = await json(['reactor', 'create', ...words, '--observers', '["l2Norm"]'])
    assert.equal(made.code, 0, made.stderr)
    const { id } = made.answer['reactor'] as { id: string }
    const first = await json(['reactor', 'step', id, '--at', '1', '--bundle', 'step.json'])
    assert.equal(first.code, 0, first.stderr)
    assert.equal((first.answer['answer'] as { reactor: { step: number } }).reactor.step, 1)
    const vkey = (await run(['keys', 'trusted'])).stdout.trim()
    assert.equal((await json(['verify', 'step.json', '--key', vkey])).code, 0)
    const again = await json(['reactor', 'step', id, '--at', '1'])
    assert.deepEqual([again.code === 0, again.answer['code']], [false, 'STEP_TAKEN'])

    const seen = await run(['reactor', 'observe', id, '--steps', '2', '--json'])
    assert.equal(seen.code, 0, seen.stderr)
    const lines = seen.stdout
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it) as Answer)
    assert.deepEqual(
      lines.map((it) => it['step']),
      [2, 3],
    )
    const shown = await run(['reactor', 'observe', '--steps', '1'])
    assert.match(shown.stdout, /^4 /)
    assert.match(shown.stderr, /ready after step 4 of 6/)

    const older = await json(['reactor', 'list'])
    assert.partialDeepStrictEqual(older.answer, { total: 1, reactors: [{ id, step: 4, steps: 6, status: 'ready' }] })
    assert.match((await run(['reactor', 'list'])).stdout, new RegExp(`${id} .*heat@`))

    const state = await json(['reactor', 'state'])
    assert.equal(state.answer['step'], 4)
    const trajectory = await json(['reactor', 'trajectory', id, '--rerun', 'true'])
    assert.partialDeepStrictEqual(trajectory.answer, {
      verified: { valid: true, count: 5, entries: 5 },
      rerun: { from: 2, to: 4, agrees: true },
    })
    const table = (await run(['reactor', 'trajectory', id, '--rerun', 'true'])).stdout
    assert.match(table, /errorSum.*verified: 5 states.*from step 2 to 4: the same digests/s)
    const telemetry = await json(['reactor', 'telemetry'])
    assert.deepEqual([telemetry.answer['steps_taken'], telemetry.answer['credits']], [4, 12])
    const next = await json(['reactor', 'next', id, '--after', '3', '--wait', '0'])
    assert.partialDeepStrictEqual(next.answer, { moved: true, step: { step: 4 } })

    for (const [args, code] of [
      [['reactor', 'create', 'sat'], 'NOT_STEPPABLE'],
      [['reactor', 'state', '0'.repeat(32)], 'NOT_FOUND'],
    ] as const) {
      assert.equal((await json([...args])).answer['code'], code)
    }
    for (const args of [
      ['reactor', 'step', 'x'],
      ['reactor', 'create', 'heat', 'nx'],
    ]) {
      assert.equal((await json(args)).code, 2, args.join(' '))
    }
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
