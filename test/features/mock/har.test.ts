import { expect, test } from 'bun:test'
import { createHarIndex, type HarEntry } from '../../../src/features/mock/har.ts'

const url = 'http://a.test/'
const entryOf = (status: number, text?: string): HarEntry => ({
  request: { method: 'POST', url, ...(text !== undefined && { postData: { text } }) },
  response: { status },
})
const asker = (entries: readonly HarEntry[]) => {
  const find = createHarIndex(entries)
  return (...bodies: [string, string]) => find({ method: 'POST', urls: [url, url], bodies })?.response.status
}

test('responses come in the order of their recording, those of the same body first', () => {
  const ask = asker([entryOf(1, 'a'), entryOf(2, 'hidden'), entryOf(3, 'a')])
  const asked = [
    ask('a', 'a'),
    ask('a', 'a'),
    ask('a', 'a'),
    ask('secret', 'hidden'),
    ask('b', 'b'),
    ask('a', 'hidden'),
  ]
  expect(asked).toEqual([1, 3, 3, 2, 1, 2])
})

test('a question takes no longer in a file of many entries for its URL', () => {
  const ask = asker(Array.from({ length: 100_000 }, () => entryOf(200, 'a')))
  const startedAt = performance.now()
  for (let count = 0; count < 10_000; count += 1) ask('a', 'b')
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
