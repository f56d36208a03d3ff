// Goal: the byte form of the register page says what was put into it, keeps numbers within their registers, and a copy
// that is not whole is never called whole. Method: drawn values for every row of the table, the ends of each type, and
// copies that were altered or put together from two pages.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { crc32c } from '#core/crc32c.ts'
import { faultCodes } from '#core/fault.ts'
import { errorCode, errorNumber } from '#core/mmio/error-code.ts'
import {
  bitsOf,
  isPage,
  jsonValue,
  pageSum,
  putRegister,
  type RegisterValue,
  registerOf,
  stateOfCopy,
  sumPage,
  wordOf,
} from '#core/mmio/page.ts'
import { shownOf } from '#core/mmio/shown.ts'
import {
  controlRegisters,
  interrupts,
  modeValues,
  PAGE_BYTES,
  pageRegisters,
  type Register,
  registerIn,
} from '#core/mmio/table.ts'
import { seed, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/mmio')

const U64_MAX = (1n << 64n) - 1n
const most: Readonly<Record<string, number | bigint>> = { u16: 0xffff, u32: 0xffff_ffff, u64: U64_MAX }
const files = [pageRegisters, controlRegisters]

const drawnFor = ({ type, width }: Register): fc.Arbitrary<RegisterValue> => {
  if (type === 'u16' || type === 'u32') return fc.nat(Number(most[type]))
  if (type === 'u64') return fc.bigInt(0n, U64_MAX)
  if (type === 'f32') return fc.float({ noNaN: true })
  if (type === 'f64') return fc.double({ noNaN: true })
  if (type === 'bytes') return fc.uint8Array({ minLength: width, maxLength: width }).map(toHex)
  return fc.string({ unit: fc.constantFrom(...'zid0123456789'), maxLength: width })
}

const named = (name: string): Register => registerIn(pageRegisters, name)

/** A page that is whole: every register is drawn, but for the constant ones. */
const wholePage: fc.Arbitrary<Uint8Array> = fc.tuple(...pageRegisters.map(drawnFor)).map((values) => {
  const page = new Uint8Array(PAGE_BYTES)
  for (const [i, it] of pageRegisters.entries()) putRegister(page, it, values[i] as RegisterValue)
  putRegister(page, named('magic'), named('magic').reset as string)
  putRegister(page, named('seqlock'), (registerOf(page, named('seqlock')) as bigint) & ~1n)
  sumPage(page)
  return page
})

const check = <T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(
    fc.property(values, (value) => {
      holds(value)
    }),
    { seed },
  )

test('rows lie within the files, whole words at their own multiples, none over another', () => {
  for (const registers of files) {
    const taken = new Set<number>()
    for (const { name, offset, width, type } of registers) {
      assert.ok(offset + width <= PAGE_BYTES, name)
      if (type !== 'bytes' && type !== 'text') assert.equal(offset % width, 0, name)
      for (let at = offset; at < offset + width; at++) {
        assert.ok(!taken.has(at), `${name} lies over another register`)
        taken.add(at)
      }
    }
    assert.equal(new Set(registers.map((it) => it.name)).size, registers.length)
  }
})

test('the offsets are those that programs were built with', () => {
  const placed = (registers: readonly Register[]) => registers.map(({ name, offset, width }) => [name, offset, width])
  assert.deepEqual(placed(pageRegisters).slice(0, 8), [
    ['seqlock', 0, 8],
    ['crc', 8, 4],
    ['layout_version', 12, 2],
    ['magic', 16, 8],
    ['layout_digest', 24, 32],
    ['genesis_ns', 56, 8],
    ['genesis_tick', 64, 8],
    ['tick', 72, 8],
  ])
  assert.deepEqual(
    ['state', 'seals', 'credits_free', 'zid', 'irq_status', 'requests'].map((it) => named(it).offset),
    [128, 168, 320, 360, 448, 472],
  )
  assert.deepEqual(placed(controlRegisters), [
    ['doorbell', 0, 8],
    ['request', 8, 4],
    ['argument', 12, 4],
    ['irq_mask', 16, 4],
    ['irq_ack', 20, 4],
  ])
})

for (const registers of files) {
  for (const register of registers) {
    test(`${register.name}: what is put is what is read, and nothing beside it changes`, () => {
      const { offset, width } = register
      check(
        fc.tuple(drawnFor(register), fc.uint8Array({ minLength: PAGE_BYTES, maxLength: PAGE_BYTES })),
        ([value, any]) => {
          const page = any.slice()
          putRegister(page, register, value)
          assert.deepEqual(registerOf(page, register), value)
          assert.deepEqual(page.subarray(0, offset), any.subarray(0, offset))
          assert.deepEqual(page.subarray(offset + width), any.subarray(offset + width))
        },
      )
    })
  }
}

test('integers stand at the nearest that their register holds', () => {
  for (const register of pageRegisters.filter(({ type }) => type in most)) {
    const page = new Uint8Array(PAGE_BYTES)
    const top = most[register.type] as number | bigint
    const put = (value: number | bigint) => {
      putRegister(page, register, value)
      return registerOf(page, register)
    }
    const zero = typeof top === 'bigint' ? 0n : 0
    assert.equal(put(top), top)
    assert.equal(put(BigInt(top) + 1n), top, register.name)
    assert.equal(put(1n << 80n), top, register.name)
    assert.equal(put(-1), zero)
    assert.equal(put(-(1n << 70n)), zero)
  }
})

test('a text shorter than before leaves nothing of it behind, and one as wide as its register has no end', () => {
  const zid = named('zid')
  const page = new Uint8Array(PAGE_BYTES)
  putRegister(page, zid, 'z'.repeat(zid.width))
  assert.equal(registerOf(page, zid), 'z'.repeat(zid.width))
  putRegister(page, zid, 'short')
  assert.equal(registerOf(page, zid), 'short')
  assert.ok(page.subarray(zid.offset + 5, zid.offset + zid.width).every((byte) => byte === 0))
  assert.throws(() => putRegister(page, zid, 'z'.repeat(zid.width + 1)))
  assert.throws(() => putRegister(page, named('log_root'), '00'.repeat(33)))
  assert.throws(() => putRegister(page, zid, 7))
  assert.throws(() => putRegister(page, named('peers'), 'seven'))
})

test('the sum is CRC-32C of RFC 3720, over bytes 16 to 4,095 and no others', () => {
  // Appendix B.4 there, and the check value of the catalogue of parametrised CRC algorithms.
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa)
  assert.equal(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43)
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e)
  assert.equal(crc32c(utf8('123456789')), 0xe3069283)
  const random = seeded()
  const page = random.bytes(PAGE_BYTES)
  const sum = pageSum(page)
  assert.equal(sum, crc32c(page.subarray(16)))
  for (let at = 0; at < PAGE_BYTES; at += at < 32 ? 1 : 127) {
    const changed = page.slice()
    changed[at] = (changed[at] as number) ^ (1 << random.integer(0, 7))
    assert.equal(pageSum(changed) === sum, at < 16, `byte ${at}`)
  }
})

test('a whole page is whole, and odd while it is written', () => {
  check(wholePage, (page) => {
    assert.equal(stateOfCopy(page), 'whole')
    assert.ok(isPage(page))
    const written = page.slice()
    putRegister(written, named('seqlock'), (registerOf(page, named('seqlock')) as bigint) | 1n)
    assert.equal(stateOfCopy(written), 'odd')
  })
})

test('a copy of which a byte is another is never whole', () => {
  check(
    fc.tuple(wholePage, fc.integer({ min: 8, max: PAGE_BYTES - 1 }), fc.integer({ min: 1, max: 255 })),
    ([page, at, change]) => {
      const copy = page.slice()
      copy[at] = (copy[at] as number) ^ change
      const isUnsummed = at >= 12 && at < 16
      const isMagic = at >= 16 && at < 24
      assert.equal(stateOfCopy(copy), isUnsummed ? 'whole' : isMagic ? 'foreign' : 'torn')
    },
  )
})

test('a copy from two pages is torn wherever it is cut', () => {
  check(fc.tuple(wholePage, wholePage, fc.integer({ min: 9, max: PAGE_BYTES - 1 })), ([older, newer, cut]) => {
    const copy = newer.slice()
    copy.set(older.subarray(cut), cut)
    const isSame =
      toHex(copy.subarray(8)) === toHex(newer.subarray(8)) || toHex(copy.subarray(8)) === toHex(older.subarray(8))
    if (!isSame) assert.equal(stateOfCopy(copy), 'torn')
  })
})

test('hostile bytes of any length are no page, and nothing throws', () => {
  check(fc.uint8Array({ maxLength: 2 * PAGE_BYTES, size: 'max' }), (bytes) => {
    assert.notEqual(stateOfCopy(bytes), 'whole')
    if (bytes.length !== PAGE_BYTES) assert.equal(stateOfCopy(bytes), 'foreign')
  })
  check(fc.uint8Array({ minLength: PAGE_BYTES, maxLength: PAGE_BYTES }), (bytes) => {
    for (const it of [...pageRegisters, ...controlRegisters]) JSON.stringify(jsonValue(registerOf(bytes, it)))
    assert.ok(['odd', 'foreign'].includes(stateOfCopy(bytes)))
  })
  const zeros = new Uint8Array(PAGE_BYTES)
  assert.equal(stateOfCopy(zeros), 'foreign')
  assert.ok(isPage(zeros), 'a file that was made and not yet written is gone on with')
  sumPage(zeros)
  assert.equal(stateOfCopy(zeros), 'foreign', 'a sum that fits makes no page')
})

test('bits and words are each other’s, over all 32', () => {
  const names = Array.from({ length: 32 }, (_, bit) => `bit ${bit}`)
  check(fc.nat(0xffff_ffff), (word) => {
    assert.equal(wordOf(bitsOf(word, names), names), word)
  })
  assert.equal(wordOf(['bit 31'], names), 0x8000_0000)
  assert.throws(() => wordOf(['bit 32'], names))
  assert.deepEqual(bitsOf(0xffff_ffff, interrupts), interrupts)
})

test('what has names in both files has the same there', () => {
  for (const name of ['irq_mask', 'irq_ack']) assert.deepEqual(registerIn(controlRegisters, name).bits, interrupts)
  assert.deepEqual(registerIn(controlRegisters, 'argument').values, modeValues)
  assert.deepEqual(fromHex(named('magic').reset as string), utf8('TMKMMIO1'))
})

test('every refusal has its own number from 1 on, and a number of no refusal has no code', () => {
  assert.equal(errorNumber(undefined), 0)
  assert.equal(errorNumber('INVALID_INPUT'), 1)
  for (const [at, code] of faultCodes.entries()) {
    assert.equal(errorNumber(code), at + 1)
    assert.equal(errorCode(at + 1), code)
  }
  for (const number of [0, faultCodes.length + 1, 0xffff_ffff]) assert.equal(errorCode(number), undefined)
})

test('a register is shown with the names of its bits, its value or its refusal', () => {
  const shown = (name: string, value: RegisterValue) => {
    const { unit, ...rest } = shownOf(named(name), value)
    return rest
  }
  const plain = { set: null, means: null }
  assert.deepEqual(shown('seals', 7n), { name: 'seals', value: '7', ...plain })
  assert.deepEqual(shown('mode', 0), { name: 'mode', value: 0, set: null, means: 'idle' })
  assert.deepEqual(shown('mode', 99), { name: 'mode', value: 99, ...plain })
  assert.deepEqual(shown('irq_status', 1), { name: 'irq_status', value: 1, set: [interrupts[0]], means: null })
  assert.deepEqual(shown('irq_status', 0), { name: 'irq_status', value: 0, set: [], means: null })
  assert.deepEqual(shown('error', 0), { name: 'error', value: 0, ...plain })
  const number = errorNumber('NOT_BONDED')
  assert.deepEqual(shown('error', number), { name: 'error', value: number, set: null, means: 'NOT_BONDED' })
  assert.equal(shownOf(named('tick_ns'), 1n).unit, 'ns')
})

test.run()
