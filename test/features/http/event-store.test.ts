import { expect, test } from 'bun:test'
import { createEventStore } from '../../../src/features/http/event-store.ts'

const messageOf = (size: number) => ({ jsonrpc: '2.0' as const, method: 'x'.repeat(size) })

test('a stream that broke is resumed after the last message that arrived, and only that stream', async () => {
  const store = createEventStore()
  const ids = []
  for (const stream of ['a', 'b', 'a', 'a']) ids.push(await store.storeEvent(stream, messageOf(10)))
  const sent: string[] = []
  await store.replayEventsAfter(ids[0] ?? '', { send: async (id) => void sent.push(id) })
  expect(sent).toEqual([ids[2] ?? '', ids[3] ?? ''])
})

test('what is kept for it has a limit: 4 MB, and nothing of a message that is larger', async () => {
  const store = createEventStore()
  const isKept = async (id: string) => (await store.getStreamIdForEventId?.(id)) !== undefined
  const ids = []
  for (let count = 0; count < 3; count += 1) ids.push(await store.storeEvent('a', messageOf(1_500_000)))
  expect(await Promise.all(ids.map(isKept))).toEqual([false, true, true])
  const large = await store.storeEvent('a', messageOf(30_000_000))
  expect(await Promise.all([...ids, large].map(isKept))).toEqual([false, false, false, false])
})
