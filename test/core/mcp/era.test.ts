import { expect, test } from 'bun:test'
import { createResourceError, withLegacyErrorCode } from '../../../src/core/mcp/calls/era.ts'
import { createListenTable, isFilter } from '../../../src/core/mcp/subscriptions.ts'

const response = (error: { code: number; message: string; data?: unknown }) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  error,
})

test('only a missing resource has another code in the legacy era', () => {
  const { message, code, data } = createResourceError('none', 'footlight://x') as Error & {
    code: number
    data: object
  }
  expect(withLegacyErrorCode(response({ code, message, data }))).toEqual(
    response({ code: -32_002, message, data }),
  )
  for (const other of [
    response({ code: -32_602, message: 'wrong' }),
    response({ code: -32_602, message: 'wrong', data: { reason: 'x' } }),
    response({ code: -32_603, message: 'wrong', data: { uri: 'x' } }),
    { jsonrpc: '2.0' as const, id: 1, result: {} },
  ])
    expect(withLegacyErrorCode(other)).toBe(other)
})

test('a listener is stopped by its cancellation, by a second request with its id, and at the end', () => {
  const events: string[] = []
  const table = createListenTable(({ resourceSubscriptions = [] }) => {
    const name = resourceSubscriptions.join()
    events.push(`listen ${name}`)
    return () => void events.push(`stop ${name}`)
  })
  const listen = (id: number, notifications: object) =>
    table.receive({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications } })
  listen(1, { resourceSubscriptions: ['a'] })
  listen(1, { resourceSubscriptions: ['b'] })
  listen(2, { resourceSubscriptions: ['c'] })
  listen(3, { resourceSubscriptions: 'd' })
  table.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  table.receive({ jsonrpc: '2.0', id: 4, method: 'tools/list', params: {} })
  expect(events).toEqual(['listen a', 'stop a', 'listen b', 'listen c', 'stop b'])
  table.end()
  expect(events.slice(5)).toEqual(['stop c'])
})

test('a filter names resources by strings', () => {
  expect([isFilter({}), isFilter({ resourceSubscriptions: ['a'] })]).toEqual([true, true])
  for (const value of [undefined, null, 'x', { resourceSubscriptions: 'a' }, { resourceSubscriptions: [1] }])
    expect(isFilter(value)).toBe(false)
})
