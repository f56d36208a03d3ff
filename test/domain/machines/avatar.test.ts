/*
 * Goal: a token is described and pictured by admins; the picture rests sealed, is shown to whoever may see the machine,
 * and what is no picture leaves no trace. Method: the smallest pictures, hostile ones, and the bytes of the database.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { toBase64, toHex } from '#core/bytes.ts'
import { tokenEntries } from '#core/token-ranges.ts'
import { sha256 } from '#crypto'
import { AVATAR_BYTES_MAX, AVATAR_SIDE_MAX } from '#domain/machines/tally/token.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { pictures } from '../../kit/pictures.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, openHouse, refusal } from '../house.ts'
import { asWriting, bodiesOf, type TallyCaller, tokenHouse } from './tally-kit.ts'

const test = suite('machines: pictures of tokens')

test('a picture rests sealed and is shown to whoever may see the machine; another takes its place', async () => {
  using dir = tempDir()
  const picture = pictures.png(64, 64, 500)
  // Found in no file of the database: neither the picture nor a part of it.
  const marked = picture.with(100, 0xab).with(101, 0xcd).with(102, 0xef)
  {
    await using house = await openHouse(dir.path)
    for (const is_public of [true, false]) {
      const slug = is_public ? 'open' : 'shut'
      const { caller } = await tokenHouse(house, { slug, is_public })
      const [viewer, stranger] = [await newAccount(house, slug), await newAccount(house, slug)]
      await house.machines.addAdmin({ caller, slug }, viewer.zid, 'viewer')
      const set = (by: TallyCaller, image: string | null) => house.machines.setAvatar(asWriting(by, slug), image)
      const refused = await refusal(() => set(stranger.caller, toBase64(marked)))
      assert.equal(refused.code, is_public ? 'SCOPE_REQUIRED' : 'NOT_FOUND')
      assert.equal((await refusal(() => set(viewer.caller, toBase64(marked)))).code, 'SCOPE_REQUIRED')
      const { answer } = await set(caller, toBase64(marked))
      const digest = toHex(sha256(marked))
      assert.deepEqual(
        [answer.avatar?.digest, answer.avatar?.media_type, answer.avatar?.width, answer.avatar?.data_url],
        [digest, 'image/png', 64, null],
      )
      const seen = await house.machines.token({ caller: viewer.caller, slug }, true)
      assert.equal(seen.avatar?.data_url, `data:image/png;base64,${toBase64(marked)}`)
      const outside = () => house.machines.token({ caller: stranger.caller, slug }, true)
      if (is_public) assert.equal((await outside()).avatar?.digest, digest)
      else assert.equal((await refusal(outside)).code, 'NOT_FOUND')
      const [body] = await bodiesOf(house, slug, tokenEntries.avatar)
      assert.equal(JSON.stringify(body).includes(digest), is_public)
      await set(caller, toBase64(pictures.jpeg(9, 9)))
      assert.equal((await house.machines.token({ caller, slug }, false)).avatar?.media_type, 'image/jpeg')
      if (!is_public) await set(caller, toBase64(marked))
      else {
        await set(caller, null)
        assert.equal((await house.machines.token({ caller, slug }, true)).avatar, null)
      }
    }
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  const secret = Buffer.from(marked.subarray(40, 140))
  const files = readdirSync(dir.path, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
  assert.ok(files.length > 3)
  for (const { parentPath, name } of files)
    assert.equal(readFileSync(`${parentPath}/${name}`).indexOf(secret), -1, name)
})

test('what is no picture is refused with its reason, and nothing of it stands', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await tokenHouse(house)
  const size = () => house.store.peek('machineHead', 'pump')!.size
  const before = size()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  for (const [image, message] of [
    ['####', 'is not base64 with padding'],
    ['AAA', 'is not base64 with padding'],
    [Buffer.from(svg).toString('base64'), 'is no whole PNG, JPEG or WebP'],
    [toBase64(pictures.png(9, 9).subarray(0, 50)), 'is no whole PNG, JPEG or WebP'],
    [toBase64(pictures.png(9, 9, AVATAR_BYTES_MAX)), `has ${AVATAR_BYTES_MAX + 57} bytes; 262144 are taken`],
    [toBase64(pictures.png(60_000, 60_000)), 'is 60000 by 60000 pixels; 4096 a side are taken'],
  ] as const) {
    const { code, details } = await refusal(() => house.machines.setAvatar(asWriting(caller, 'pump'), image))
    assert.equal(code, 'INVALID_INPUT')
    assert.deepEqual(details['errors'], [{ path: '/image', message }])
  }
  assert.equal(size(), before)
  const most = pictures.png(AVATAR_SIDE_MAX, 1, AVATAR_BYTES_MAX - 57)
  assert.equal(most.length, AVATAR_BYTES_MAX)
  await house.machines.setAvatar(asWriting(caller, 'pump'), toBase64(most))
  assert.equal(size(), before + 1)
})

test('words of a token are open on a public machine and sealed on a private one', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  for (const is_public of [true, false]) {
    const slug = is_public ? 'open' : 'shut'
    const { caller } = await tokenHouse(house, { slug, is_public })
    const set = await house.machines.setToken(asWriting(caller, slug), 'for each litre')
    assert.equal(set.answer.description, 'for each litre')
    const [body] = await bodiesOf(house, slug, tokenEntries.token)
    assert.equal(body?.['description'], is_public ? 'for each litre' : undefined)
    await house.machines.setToken(asWriting(caller, slug), null)
    assert.equal((await house.machines.token({ caller, slug }, false)).description, null)
  }
})

test.run()
