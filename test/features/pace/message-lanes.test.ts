import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createMessageLanes } from '../../../src/features/pace/message-lanes.ts'

const flood = (count: number, page = 'flood') =>
  Array.from({ length: count }, (_, index) => ({ page, message: `${page} ${index}` }))

function takeAll(lanes: ReturnType<typeof createMessageLanes<string>>): string[] {
  const taken: string[] = []
  for (let next = lanes.take(); next; next = lanes.take())
    taken.push(next.message, ...(next.omittedCount > 0 ? [`${next.omittedCount} omitted`] : []))
  return taken
}

test('messages keep the order of their arrival, up to a flood', () => {
  const lanes = createMessageLanes<string>()
  const messages = [...flood(100), ...flood(100, 'other')]
  for (const { page, message } of messages) lanes.add(page, message, false)
  expect(takeAll(lanes)).toEqual(messages.map(({ message }) => message))
})

test('a message of another page, or of the browser, waits for a few of a flood only', () => {
  const lanes = createMessageLanes<string>()
  for (const { page, message } of flood(100_000)) lanes.add(page, message, false)
  lanes.add('other', 'mine', false)
  lanes.add('', 'attached', false)
  expect(lanes.size).toBe(100_002)
  const taken = takeAll(lanes)
  expect(taken.indexOf('mine')).toBeLessThan(1010)
  expect(taken.indexOf('attached')).toBeLessThan(1010)
  expect(taken).toHaveLength(100_002)
})

test('two floods take turns', () => {
  const lanes = createMessageLanes<string>()
  for (const page of ['a', 'b']) for (const { message } of flood(5000, page)) lanes.add(page, message, false)
  const middle = takeAll(lanes).slice(2000, 4000)
  expect(middle.filter((message) => message.startsWith('a')).length).toBeGreaterThan(800)
  expect(middle.filter((message) => message.startsWith('b')).length).toBeGreaterThan(800)
})

test('what may be omitted is counted while too many are waiting, where it is missing', () => {
  const lanes = createMessageLanes<string>()
  for (const { page, message } of flood(10_000)) lanes.add(page, message, true)
  lanes.add('flood', 'navigated', false)
  lanes.add('flood', 'line', true)
  const taken = takeAll(lanes)
  expect(taken.slice(-4)).toEqual(['flood 1499', '8500 omitted', 'navigated', 'line'])
  expect(taken).toHaveLength(1503)
})

test('an omitted message that tells of others counts for them', () => {
  const lanes = createMessageLanes<string>((message) => (message === 'notice' ? 900 : 1))
  for (const { page, message } of flood(2000)) lanes.add(page, message, true)
  lanes.add('flood', 'notice', true)
  expect(takeAll(lanes).at(-1)).toBe('1400 omitted')
})

test('property: the messages of a page keep their order, and none is lost', () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ page: fc.constantFrom('', 'a', 'b'), count: fc.constantFrom(1, 3, 700) }),
    },
    { weight: 2, arbitrary: fc.record({ take: fc.constantFrom(1, 10, 900) }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const lanes = createMessageLanes<{ page: string; number: number }>()
      const taken: { page: string; number: number }[] = []
      let number = 0
      const take = () => {
        const next = lanes.take()
        if (next) taken.push(next.message)
      }
      for (const one of steps) {
        if ('take' in one) for (let index = 0; index < one.take; index += 1) take()
        else
          for (let index = 0; index < one.count; index += 1)
            lanes.add(one.page, { page: one.page, number: number++ }, false)
      }
      while (lanes.size > 0) take()
      expect(taken).toHaveLength(number)
      for (const page of ['', 'a', 'b']) {
        const numbers = taken.filter((message) => message.page === page).map((message) => message.number)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      }
    }),
  )
})
