import { expect, test } from 'bun:test'
import { readImageSize } from '../../../src/core/base/image-plan.ts'

test('the size of a picture is read from its header', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAHCAYAAADAp4fuAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  expect(readImageSize(png)).toEqual({ width: 5, height: 7 })
  const jpeg = new Uint8Array([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 11, 3, 0, 0, 0, 0, 0, 0,
  ])
  expect(readImageSize(jpeg)).toEqual({ width: 11, height: 9 })
  expect(readImageSize(new Uint8Array([1, 2, 3]))).toEqual({ width: 0, height: 0 })
})
