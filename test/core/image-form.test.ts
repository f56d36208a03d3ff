// Goal: a picture is what its own bytes say, and what is cut, renamed or glued together is none. Method: the smallest
// pictures of each kind written by hand, every beginning of them, and bytes of other kinds.
import assert from 'node:assert/strict'
import { concat, fromBase64, utf8 } from '#core/bytes.ts'
import { imageFormOf, imageTypes } from '#core/image-form.ts'
import { pictures } from '../kit/pictures.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/image-form')

test('each kind says its size', () => {
  assert.deepEqual(imageFormOf(pictures.png(3, 2)), { media_type: 'image/png', width: 3, height: 2 })
  assert.deepEqual(imageFormOf(pictures.jpeg(640, 480)), { media_type: 'image/jpeg', width: 640, height: 480 })
  assert.deepEqual(imageFormOf(pictures.webp(700, 500)), { media_type: 'image/webp', width: 700, height: 500 })
  assert.deepEqual(imageFormOf(pictures.lossy(70, 50)), { media_type: 'image/webp', width: 70, height: 50 })
  assert.deepEqual(imageFormOf(pictures.extended(7, 5)), { media_type: 'image/webp', width: 7, height: 5 })
  assert.equal(imageTypes.length, 3)
})

test('what is cut, longer, or something else is none', () => {
  const random = seeded()
  for (const whole of [pictures.png(3, 2), pictures.jpeg(4, 4), pictures.webp(9, 9)]) {
    for (let length = 0; length < whole.length; length++) {
      assert.equal(imageFormOf(whole.subarray(0, length)), undefined, `${length} of ${whole.length}`)
    }
    assert.equal(imageFormOf(concat(whole, utf8('<script>alert(1)</script>'))), undefined)
  }
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '%PDF-1.7', '']) {
    assert.equal(imageFormOf(utf8(text)), undefined)
  }
  assert.equal(imageFormOf(pictures.png(0, 5)), undefined)
  for (let i = 0; i < 200; i++) assert.equal(imageFormOf(random.bytes(random.integer(0, 400))), undefined)
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  assert.deepEqual(imageFormOf(fromBase64(pixel)), { media_type: 'image/png', width: 1, height: 1 })
})

test.run()
