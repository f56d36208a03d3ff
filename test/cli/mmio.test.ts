/*
 * Goal: a person at a terminal reads the register page as a program does, follows it, rings the bell and hears what
 * came of it; wrong names, other files and a node that is gone each have their code and exit.
 * Method: commands in this process on the files of a real node that follows its ticks.
 */
import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { putRegister, sumPage, valueIn } from '#core/mmio/page.ts'
import { pageRegisters, registerIn } from '#core/mmio/table.ts'
import { keyFiles } from '#domain/identity/node-keys.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { type Begun, terminalIn } from './terminal.ts'

const test = suite('cli/mmio')

/** What `mmio watch` has printed by now, as `name value`, and its end by Ctrl-C. */
const watched = ({ child, ended }: Begun) => {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { ok: boolean; name: string; tick: number; means: string | null })
  return {
    of: (name: string) => lines().filter((it) => it.name === name),
    names: () => new Set(lines().map((it) => it.name)),
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
    ended,
  }
}

/** A node with files, and a terminal whose settings lead to them. */
const beside = async (home: string) => {
  const registers = join(home, 'registers')
  const settings = { 'mmio.enabled': true, 'mmio.directory': registers }
  const it = await testNode({ realTime: true, settings })
  const { begin, here } = terminalIn(home)
  const env = { TICKMESH_DATA: it.directory, TICKMESH_MMIO_DIRECTORY: registers }
  return {
    it,
    page: join(registers, 'mmio.bin'),
    control: join(registers, 'mmio.ctl'),
    run: (...args: readonly string[]) => here.run(['mmio', ...args], { env }),
    json: async (...args: readonly string[]) =>
      (await here.json(['mmio', ...args], { env })).answer as Record<string, never>,
    watch: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      watched(begin(['mmio', 'watch', ...args, '--json'], { env: { ...env, ...more } })),
    away: (args: readonly string[], more: Readonly<Record<string, string>>) =>
      here.run(['mmio', ...args], { env: { ...env, ...more } }),
  }
}

test('the page in words and as JSON, some registers of it, and where its files are', async () => {
  using dir = tempDir()
  const { it, run, json, page, control } = await beside(dir.path)
  await using _ = it
  const all = await run('show')
  assert.equal(all.code, 0, all.stderr)
  for (const { name } of pageRegisters) assert.match(all.stdout, new RegExp(`^${name} `, 'm'))
  assert.match(all.stdout, /^state\s+ready\s/m)
  assert.match(all.stdout, /^mode\s+idle\s/m)
  assert.match(all.stdout, new RegExp(`^zid\\s+${it.node.services.identity.ownerZid}`, 'm'))
  const some = await json('show', 'mode', 'tick_ns')
  assert.deepEqual(some['registers'], [
    { name: 'tick_ns', value: '777000777', unit: 'ns', set: null, means: null },
    { name: 'mode', value: 0, unit: null, set: null, means: 'idle' },
  ])
  assert.equal((await run('show', '--path')).stdout, `${page}\n${control}\n`)
  const wrong = await run('show', 'mdoe')
  assert.deepEqual([wrong.code, /no register is called "mdoe".*mode/.test(wrong.stderr)], [2, true])
})

test('the bell: what is done and what is refused is told; interrupts are acknowledged more than once', async () => {
  using dir = tempDir()
  const { it, run, json } = await beside(dir.path)
  await using _ = it
  const done = await run('ring', 'idle')
  assert.deepEqual([done.code, done.stdout], [0, 'the node is idle\n'], done.stderr)
  const refused = await run('ring', 'contributing')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /no bond that stands/)
  assert.equal((await run('ring', 'asleep')).code, 2)
  const status = await json('show', 'irq_status', 'doorbell_done', 'error')
  const [irq, error] = status['registers'] as unknown as { name: string; set: string[]; value: number }[]
  assert.equal(irq?.set.includes('error'), true)
  assert.equal((error?.value ?? 0) > 0, true)
  for (let times = 0; times < 2; times++) {
    const cleared = await run('ack', 'all')
    assert.deepEqual([cleared.code, /^still set: (?:none|tick)\n$/.test(cleared.stdout)], [0, true], cleared.stdout)
  }
  assert.match((await run('mask', 'tick', 'sealed')).stdout, /^masked: tick sealed\n$/)
  assert.equal((await run('mask', 'noise')).code, 2)
}, 30_000)

test('a node over HTTP: the public registers without a key, all of them with the owner’s, and no bell', async () => {
  using dir = tempDir()
  const { it, away } = await beside(dir.path)
  await using _ = it
  const key = readFileSync(join(it.directory, keyFiles.owner), 'utf8').trim()
  const open = await away(['show'], { TICKMESH_URL: it.url, TICKMESH_KEY: '' })
  assert.deepEqual([open.code, /^credits_free/m.test(open.stdout), /^mode\s+idle/m.test(open.stdout)], [0, false, true])
  const own = await away(['show', 'credits_free', 'seals'], { TICKMESH_URL: it.url, TICKMESH_KEY: key })
  assert.match(own.stdout, /^seals\s+0\s[\s\S]*^credits_free\s+\d+\s+credit/m)
  assert.equal((await away(['ring', 'idle'], { TICKMESH_URL: it.url })).code, 2)
})

test('the page is followed: what changes is told once, from the file and over HTTP, until Ctrl-C', async (signal) => {
  using dir = tempDir()
  const { it, watch, run } = await beside(dir.path)
  await using _ = it
  const key = readFileSync(join(it.directory, keyFiles.owner), 'utf8').trim()
  const all = watch([])
  const named = watch(['error', 'tick'])
  const away = watch(['error', 'mode'], { TICKMESH_URL: it.url, TICKMESH_KEY: key })
  const stranger = watch([], { TICKMESH_URL: it.url, TICKMESH_KEY: '' })
  for (const one of [all, named, away, stranger]) await until(() => one.of('error').length === 1, signal)
  // Registers that change with every page are told to whoever names them, and to nobody else.
  await until(() => named.of('tick').length >= 3, signal)
  const ticks = named.of('tick').map(({ tick }) => tick)
  assert.deepEqual(
    ticks,
    [...new Set(ticks)].toSorted((a, b) => a - b),
  )
  for (const one of [all, stranger]) assert.equal(one.names().has('tick'), false)
  assert.equal(all.names().has('credits_free'), true)
  assert.equal(stranger.names().has('credits_free'), false)
  assert.equal((await run('ring', 'contributing')).code, 1)
  for (const one of [all, named, away, stranger]) {
    await until(() => one.of('error').at(-1)?.means === 'NOT_BONDED', signal)
    assert.equal(one.of('error').length, 2)
    const { code, stderr } = await one.interrupt()
    assert.equal(code, 130, stderr)
  }
}, 60_000)

test('who follows a page whose node ends is told so', async (signal) => {
  using dir = tempDir()
  const { it, watch } = await beside(dir.path)
  let following: ReturnType<typeof watch>
  {
    await using _ = it
    following = watch(['mode'])
    await until(() => following.of('mode').length === 1, signal)
  }
  const { code, stdout } = await following.ended
  assert.equal(code, 5)
  assert.match(stdout, /"code":"NODE_GONE"/)
}, 30_000)

test('a page of another release is shown by the rows of this one, and said to be so', async () => {
  using dir = tempDir()
  const { it, run, page } = await beside(dir.path)
  await using _ = it
  const copy = join(dir.path, 'mmio.bin')
  let bytes: Uint8Array = readFileSync(page)
  const same = await run('show', 'mode')
  assert.deepEqual([same.code, same.stderr], [0, ''])
  bytes = bytes.slice()
  putRegister(bytes, registerIn(pageRegisters, 'seqlock'), (valueIn(bytes, 'seqlock') as bigint) & ~1n)
  putRegister(bytes, registerIn(pageRegisters, 'layout_digest'), '5a'.repeat(32))
  sumPage(bytes)
  writeFileSync(copy, bytes)
  const other = await run('show', 'mode', '--file', copy)
  assert.deepEqual([other.code, /^mode\s+idle/.test(other.stdout)], [0, true])
  assert.match(other.stderr, /another release wrote this page/)
  const { stdout } = await run('show', 'mode', '--file', copy, '--json')
  assert.equal((JSON.parse(stdout) as { same_layout: boolean }).same_layout, false)
})

test('files that are no page, and a node that is gone', async () => {
  using dir = tempDir()
  const copy = join(dir.path, 'copy')
  const { it, run, page } = await beside(dir.path)
  {
    await using _ = it
    const code = async (...args: readonly string[]): Promise<string> => {
      const { code: exit, stdout } = await run(...args, '--json')
      return `${exit} ${(JSON.parse(stdout) as { code: string }).code}`
    }
    assert.equal(await code('show', '--file', join(dir.path, 'nowhere')), '5 NO_PAGE')
    writeFileSync(copy, Buffer.alloc(4_096, 3))
    assert.equal(await code('show', '--file', copy), '1 PAGE_REFUSED')
    truncateSync(copy, 12)
    assert.equal(await code('show', '--file', copy), '1 PAGE_REFUSED')
    symlinkSync(page, `${copy}.link`)
    assert.equal(await code('show', '--file', `${copy}.link`), '1 PAGE_REFUSED')
    mkdirSync(`${copy}.folder`)
    assert.match(await code('show', '--file', `${copy}.folder`), /^1 /)
    // Half written, and nobody goes on with it.
    copyFileSync(page, `${copy}.odd`)
    const odd = readFileSync(`${copy}.odd`)
    odd.writeUInt8(odd.readUInt8(0) | 1, 0)
    writeFileSync(`${copy}.odd`, odd)
    assert.equal(await code('show', '--file', `${copy}.odd`), '5 NODE_GONE')
    chmodSync(`${copy}.odd`, 0o600)
  }
  // The page of a node that stopped says so, and stands still from then on.
  const page2 = readFileSync(page)
  page2.writeBigUInt64LE(process.hrtime.bigint() + 1_000_000_000_000n, 112)
  writeFileSync(page, page2)
  const spoiled = await run('show')
  assert.equal(spoiled.code, 75, 'a sum that does not fit is no page')
}, 30_000)

test('the header and the module are printed as they are kept', async () => {
  using dir = tempDir()
  const { here } = terminalIn(dir.path)
  for (const [args, name] of [
    [[], 'tickmesh_mmio.h'],
    [['--python'], 'tickmesh_mmio.py'],
  ] as const) {
    const { code, stdout } = await here.run(['mmio', 'header', ...args])
    const kept = readFileSync(new URL(`../../protocols/mmio/${name}`, import.meta.url), 'utf8')
    assert.deepEqual([code, stdout.trimEnd()], [0, kept.trimEnd()])
  }
})

test.run()
