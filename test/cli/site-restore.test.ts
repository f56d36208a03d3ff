// Goal: pages of machines, their publish key and the token with its picture come back with a node, byte for byte and
// with all their headers. Method: a node as a process with a public and a private machine; an archive made while it
// runs; what it served then against what a node serves that runs on the archive in a fresh directory.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { pictures } from '../kit/pictures.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, type RunOptions, terminalIn } from './terminal.ts'

const test = suite('cli/site-restore')

const MS_MAX = 120_000
/** What differs between two answers to the same call, whatever node gives them. */
const PASSING = /^(?:date|x-request-id|connection|keep-alive|(?:x-)?ratelimit-.*)$/

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** An answer as it is read: all of it that stands still. */
const readAs = async (url: string, path: string, key?: string) => {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const response = await fetch(new URL(path, url), { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kept = [...response.headers].filter(([name]) => !PASSING.test(name))
  // A refusal has a name of its own each time.
  const sha = response.ok ? sha256(bytes) : ''
  return { status: response.status, headers: Object.fromEntries(kept), sha }
}

test(
  'a node that was restored serves the pages and the token of its machines as the one that was backed up',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { json } = terminal.here
    const done = async (words: readonly string[], options: RunOptions = {}): Promise<Answer> => {
      const { code, answer, stderr, stdout } = await json(words, options)
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}${stdout}`)
      return answer
    }
    const page = '<!doctype html><title>Pump 7</title><h1>läuft</h1>\n'
    const picture = pictures.png(8, 8)
    writeFileSync(`${dir.path}/index.html`, page)
    writeFileSync(`${dir.path}/pump.png`, picture)
    const paths: string[] = []
    const read = (url: string, key: string) =>
      Promise.all(paths.flatMap((it) => [readAs(url, it), readAs(url, it, key)]))
    let before: Awaited<ReturnType<typeof read>>
    let key: string
    {
      await using node = await terminal.start()
      key = readFileSync(`${terminal.data}/owner.key`, 'utf8').trim()
      for (const slug of ['pump-7', 'quiet-1']) {
        await done(['machines', 'create', slug, '--is-public', String(slug === 'pump-7')])
        await done(['machines', 'site', 'upload', slug, 'index.html'])
        await done(['machines', 'site', 'upload', slug, 'pump.png', '--path', 'plots/today.png'])
        await done(['machines', 'tally', 'create', slug, 'Litres pumped', 'LITRE', '1000', '--initial', '40', '--yes'])
        await done(['machines', 'tally', 'avatar', slug, 'pump.png'])
        const at = `/api/chain/${slug}`
        const files = [page, picture].map((it) => `${at}/site/file/${sha256(it)}`)
        const tally = ['tally/token?avatar=true', 'tally/supply', 'tally/tokens'].map((it) => `${at}/${it}`)
        paths.push(...files, `${at}/site/list`, ...tally)
      }
      const publisher = await done(['machines', 'site', 'key', 'issue', 'pump-7'])
      writeFileSync(`${dir.path}/publish.key`, String(publisher['key'] ?? publisher['publish_key']))
      before = await read(node.url, key)
      await done(['backup', 'create', 'node.backup'])
      // What came later is not in it.
      await done(['machines', 'site', 'upload', 'pump-7', '-', '--path', 'late.txt', '--content-type', 'text/plain'], {
        stdin: 'too late',
      })
      await node.end('SIGTERM')
    }
    const [served, asOwner, image] = before
    assert.deepEqual([served?.status, served?.sha], [200, sha256(page)])
    assert.match(served?.headers['content-type'] ?? '', /^text\/html/)
    assert.match(served?.headers['content-security-policy'] ?? '', /sandbox/)
    assert.deepEqual([asOwner?.sha, image?.sha], [sha256(page), sha256(picture)])
    const shown = before.map(({ status }) => status)
    assert.deepEqual(shown, [...Array(12).fill(200), ...Array.from({ length: 6 }, () => [404, 200]).flat()])

    const env = { TICKMESH_DATA: `${dir.path}/second` }
    await done(['backup', 'restore', 'node.backup', '--data-dir', 'second', '--check'])
    await using restored = await terminal.start({ env })
    assert.equal(readFileSync(`${dir.path}/second/owner.key`, 'utf8').trim(), key)
    assert.deepEqual(await read(restored.url, key), before)
    const { status: late } = await readAs(restored.url, `/api/chain/pump-7/site/file/${sha256('too late')}`)
    assert.equal(late, 404)
    const own = { env: { TICKMESH_URL: restored.url, TICKMESH_KEY: readFileSync(`${dir.path}/publish.key`, 'utf8') } }
    const again = await done(['machines', 'site', 'upload', 'pump-7', 'index.html', '--path', 'next.html'], own)
    assert.equal((again['page'] as Answer)['sha'], sha256(page))
    await restored.end('SIGTERM')
    assert.equal((await json(['fsck', '--data-dir', 'second'])).answer['bad'], null)
  },
  MS_MAX,
)

test.run()
