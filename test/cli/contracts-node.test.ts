// Goal: the commands about contracts do what their endpoints do, take definitions from files and stdin, and what they
// export is what they import. Method: one node as a process; the commands in this one.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { byTwos, counter, teller } from '../domain/contracts/contract-kit.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/contracts with a node')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.here
const node = await terminal.start()

const write = (name: string, value: unknown): void => writeFileSync(`${dir.path}/${name}`, JSON.stringify(value))
const contractOf = ({ answer }: { readonly answer: Answer }): Answer => answer['contract'] as Answer
// Its clock does not come within a test.
const slow = {
  ...counter,
  transitions: [{ ...counter.transitions[0], trigger: { kind: 'recurring', every_ticks: 1e8 } }],
}
write('slow.json', slow)
write('by-twos.json', { ...byTwos, transitions: slow.transitions })
write('teller.json', teller)
write('secrets.json', { token: 'never-shown', body_key: 'never-shown' })

test(
  'a contract is made of a file, started, changed, brought back, stopped and ended',
  async () => {
    const machine = await run(['machines', 'create', 'pump-7'])
    assert.equal(machine.code, 0, machine.stderr)
    const made = contractOf(await json(['contracts', 'create', 'pump-7', 'slow.json']))
    assert.deepEqual([made['name'], made['status']], ['Counter', 'paused'])
    const id = String(made['id'])
    const which = ['pump-7', id]
    assert.equal(contractOf(await json(['contracts', 'resume', ...which]))['status'], 'live')
    const listed = await run(['contracts', 'list', 'pump-7'])
    assert.match(listed.stdout, new RegExp(`^${id} +Counter +live +counting +1`, 'm'))
    const fires = await json(['contracts', 'next-fires', ...which, '--limit', '2'])
    assert.equal((fires.answer['fires'] as readonly unknown[]).length, 2)
    const skipped = contractOf(await json(['contracts', 'skip-next', ...which]))
    assert.equal((skipped['skip'] as Answer)['by'], made['created_by'])

    const wrong = await json(['contracts', 'patch', ...which, 'by-twos.json', '--if-match', '9'])
    assert.deepEqual([wrong.code, wrong.answer['code']], [1, 'VERSION_CONFLICT'])
    const patched = contractOf(await json(['contracts', 'patch', ...which, 'by-twos.json', '--if-match', '1']))
    assert.deepEqual([patched['version_no'], patched['name']], [2, 'By twos'])
    const moved = contractOf(await json(['contracts', 'patch', ...which, '--migrate', '{"context":{"n":7}}']))
    assert.deepEqual([moved['version_no'], (moved['context'] as Answer)['n']], [2, 7])
    const back = contractOf(await json(['contracts', 'rollback', ...which, '1']))
    assert.deepEqual([back['version_no'], back['version']], [3, made['version']])
    assert.match((await run(['contracts', 'versions', ...which])).stdout, /^3 .*\n2 .*\n1 /m)
    assert.match((await run(['contracts', 'show', ...which])).stdout, /Counter/)

    assert.equal(contractOf(await json(['contracts', 'pause', ...which]))['status'], 'paused')
    const asked = await run(['contracts', 'freeze', ...which])
    assert.notEqual(asked.code, 0)
    assert.equal(contractOf(await json(['contracts', 'freeze', ...which, '--yes']))['status'], 'frozen')
  },
  MS_MAX,
)

test(
  'what is exported is imported, secrets come from a file, and a template is deployed',
  async () => {
    const made = await json(['contracts', 'create', 'pump-7', 'teller.json', '--secrets', '@secrets.json'])
    const id = String(contractOf(made)['id'])
    const { stdout } = await run(['contracts', 'export', 'pump-7', id])
    assert.ok(!stdout.includes('never-shown'))
    writeFileSync(`${dir.path}/exported.json`, stdout)
    const lacking = await json(['contracts', 'import', 'pump-7', 'exported.json'])
    assert.deepEqual([lacking.code, lacking.answer['code']], [1, 'SECRET_UNKNOWN'])
    const copy = await json(['contracts', 'import', 'pump-7', 'exported.json', '--secrets', '@secrets.json'])
    assert.equal(contractOf(copy)['version'], contractOf(made)['version'])
    writeFileSync(`${dir.path}/answer.json`, JSON.stringify((await json(['contracts', 'export', 'pump-7', id])).answer))
    const again = await json(['contracts', 'import', 'pump-7', 'answer.json', '--secrets', '@secrets.json'])
    assert.equal(again.code, 0)
    const words = ['contracts', 'deploy', 'pump-7', 'heartbeat', '--parameters', '{"silence":"5 min"}']
    assert.equal((await json(words)).code, 0)
    const bad = await json(['contracts', 'deploy', 'pump-7', 'heartbeat', '--parameters', '{"silence":"5 kg"}'])
    assert.deepEqual([bad.code, bad.answer['code']], [1, 'CONTRACT_INVALID'])
  },
  MS_MAX,
)

closing(test, node, dir)
test.run()
