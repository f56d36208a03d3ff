/*
 * Goal: whatever happens to the two files, the node neither dies of it nor writes where it should not, and a reader
 * never takes a page that is none.
 * Method: a real directory; files cut, removed, replaced, linked, given to another user, filled with something else; a
 * writer that stops after each of its three writes.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { putRegister, registerOf, stateOfCopy } from '#core/mmio/page.ts'
import { controlRegisters, PAGE_BYTES, pageRegisters, registerIn } from '#core/mmio/table.ts'
import { controlFile } from '#domain/network/mmio/control-file.ts'
import { registerFiles } from '#domain/network/mmio/files.ts'
import { FileRefused } from '#domain/network/mmio/own-file.ts'
import { openPageFile, type WritePart, writePart as whole } from '#domain/network/mmio/page-file.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'

const test = suite('registers: files')

const MODE = 0o600
const row = (name: string) => registerIn(pageRegisters, name)
const magic = row('magic')

const pageOf = (tick: number): Uint8Array => {
  const page = new Uint8Array(PAGE_BYTES)
  putRegister(page, magic, magic.reset as string)
  putRegister(page, row('tick'), tick)
  return page
}
const tickAt = (path: string): bigint => registerOf(readFileSync(path), row('tick')) as bigint
const wordAt = (path: string): bigint => registerOf(readFileSync(path), row('seqlock')) as bigint
const isRoot = process.geteuid?.() === 0

test('a page keeps its inode over writers, and its word goes on', () => {
  using dir = tempDir()
  const path = join(dir.path, 'mmio.bin')
  let inode = 0
  for (let tick = 1; tick <= 3; tick++) {
    using file = openPageFile(path, { mode: MODE })
    file.write(pageOf(tick))
    inode ||= statSync(path).ino
    assert.deepEqual([statSync(path).ino, tickAt(path), wordAt(path)], [inode, BigInt(tick), BigInt(2 * tick)])
    assert.equal(stateOfCopy(readFileSync(path)), 'whole')
    assert.equal(statSync(path).mode & 0o777, MODE)
  }
})

test('a writer that stops after any of its writes leaves no page that is taken, and the next one goes on', () => {
  for (const parts of [0, 1, 2]) {
    using dir = tempDir()
    const path = join(dir.path, 'mmio.bin')
    {
      using file = openPageFile(path, { mode: MODE })
      file.write(pageOf(1))
    }
    let left = parts
    const stopping: WritePart = (file, page, from, to) => {
      if (left === 0) throw new Error('killed')
      left -= 1
      whole(file, page, from, to)
    }
    {
      using file = openPageFile(path, { mode: MODE, writePart: stopping })
      assert.throws(() => file.write(pageOf(2)), /killed/)
    }
    const state = stateOfCopy(readFileSync(path))
    assert.equal(state, parts === 0 ? 'whole' : 'odd', `after ${parts} writes`)
    if (state === 'whole') assert.equal(tickAt(path), 1n)
    const before = wordAt(path)
    using next = openPageFile(path, { mode: MODE })
    next.write(pageOf(3))
    assert.equal(stateOfCopy(readFileSync(path)), 'whole')
    assert.deepEqual([tickAt(path), wordAt(path) > before, wordAt(path) % 2n], [3n, true, 0n])
  }
})

test('a page that is cut, removed or replaced while the node runs is made again', () => {
  using dir = tempDir()
  const path = join(dir.path, 'mmio.bin')
  using file = openPageFile(path, { mode: MODE })
  let tick = 0
  const sound = (): void => {
    tick += 1
    file.write(pageOf(tick))
    assert.deepEqual([stateOfCopy(readFileSync(path)), tickAt(path)], ['whole', BigInt(tick)])
  }
  sound()
  truncateSync(path, 100)
  sound()
  truncateSync(path, 0)
  sound()
  truncateSync(path, 2 * PAGE_BYTES)
  sound()
  rmSync(path)
  sound()
  renameSync(path, `${path}.away`)
  const away = readFileSync(`${path}.away`)
  sound()
  assert.deepEqual(readFileSync(`${path}.away`), away, 'what was taken away is not written any more')
  chmodSync(path, 0o400)
  using again = openPageFile(path, { mode: MODE })
  again.write(pageOf(99))
  assert.equal(statSync(path).mode & 0o777, MODE, 'a page that was made read-only is the node’s again')
})

test('what is not ours is not touched, and said', () => {
  using dir = tempDir()
  const target = join(dir.path, 'target')
  writeFileSync(target, Buffer.alloc(PAGE_BYTES, 7))
  const before = readFileSync(target)
  const path = join(dir.path, 'mmio.bin')
  const refused = (make: () => void, why: RegExp): void => {
    make()
    assert.throws(
      () => openPageFile(path, { mode: MODE }),
      (error) => error instanceof FileRefused && why.test(error.message),
    )
    assert.deepEqual(readFileSync(target), before)
    rmSync(path, { recursive: true, force: true })
  }
  refused(() => symlinkSync(target, path), /symbolic link/)
  refused(() => symlinkSync(join(dir.path, 'nowhere'), path), /symbolic link/)
  refused(() => linkSync(target, path), /second name/)
  refused(() => mkdirSync(path), /no regular file/)
  refused(() => writeFileSync(path, Buffer.alloc(PAGE_BYTES, 1), { mode: 0o600 }), /something else/)
  refused(() => {
    writeFileSync(path, pageOf(1))
    chmodSync(path, 0o666)
  }, /by others than its owner/)
  if (isRoot) {
    refused(() => {
      writeFileSync(path, pageOf(1), { mode: 0o600 })
      chownSync(path, 65_534, 65_534)
    }, /another user/)
  }
  assert.equal(lstatSync(target).size, PAGE_BYTES)
})

test('a control file that is made asks for nothing, and one that others may write is not read', () => {
  using dir = tempDir()
  const path = join(dir.path, 'mmio.ctl')
  const bell = registerIn(controlRegisters, 'doorbell')
  const first = new Uint8Array(PAGE_BYTES)
  putRegister(first, bell, 41n)
  using file = controlFile(path)
  assert.equal(file.read(first), undefined)
  const found = file.read(first)
  assert.deepEqual(
    [found === undefined ? undefined : registerOf(found, bell), statSync(path).mode & 0o777],
    [41n, 0o600],
  )

  truncateSync(path, 8)
  assert.equal(file.read(first), undefined, 'cut: made again')
  assert.equal(statSync(path).size, PAGE_BYTES)
  rmSync(path)
  assert.equal(file.read(first), undefined, 'removed: made again')
  chmodSync(path, 0o622)
  assert.throws(() => file.read(first), FileRefused)
  chmodSync(path, 0o600)
  assert.notEqual(file.read(first), undefined)
  rmSync(path)
  symlinkSync(join(dir.path, 'elsewhere'), path)
  assert.throws(() => file.read(first), FileRefused)
  rmSync(path)
  if (isRoot) {
    writeFileSync(path, first, { mode: 0o600 })
    chownSync(path, 65_534, 65_534)
    assert.throws(() => file.read(first), /another user/)
  }
})

test('a directory that others may write, or that another node has, is refused', () => {
  using dir = tempDir()
  const directory = join(dir.path, 'registers')
  const one = registerFiles({ directory, mode: MODE })
  const two = registerFiles({ directory, mode: MODE })
  one.write(pageOf(1))
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  assert.throws(() => two.write(pageOf(2)), /in use/)
  one[Symbol.dispose]()
  two.write(pageOf(2))
  assert.equal(tickAt(two.paths.page), 2n)
  rmSync(directory, { recursive: true })
  two.write(pageOf(3))
  assert.equal(tickAt(two.paths.page), 3n, 'a directory that was removed is made again')
  two[Symbol.dispose]()
  chmodSync(directory, 0o777)
  assert.throws(() => registerFiles({ directory, mode: MODE }).write(pageOf(4)), /written by others/)
  rmSync(directory, { recursive: true })
  symlinkSync(dir.path, directory)
  assert.throws(() => registerFiles({ directory, mode: MODE }).write(pageOf(4)), FileRefused)
  rmSync(directory)
  const open = registerFiles({ directory, mode: 0o644 })
  open.write(pageOf(5))
  assert.deepEqual([statSync(directory).mode & 0o777, statSync(open.paths.page).mode & 0o777], [0o711, 0o644])
  assert.equal(open.read({ doorbell: 0n, acknowledged: 0 }), undefined)
  assert.equal(statSync(open.paths.control).mode & 0o777, 0o600, 'the bell stays the owner’s')
  open[Symbol.dispose]()
})

test.run()
