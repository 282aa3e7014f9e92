import { expect, test } from 'bun:test'
import { createResourceUpdates } from '../../../src/core/mcp/subscriptions.ts'

test('a subscription that is ready only after the end is stopped at once', () => {
  const stopped: string[] = []
  const updates = createResourceUpdates(() => {})
  updates.add('a', () => stopped.push('a'))
  updates.end()
  updates.add('b', () => stopped.push('b'))
  expect(stopped).toEqual(['a', 'b'])
})
