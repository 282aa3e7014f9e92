import { expect, test } from 'bun:test'
import { createDeferred } from '../../../../src/core/base/system/settle-within.ts'

test('a deferred settles with what it is resolved with first', async () => {
  const deferred = createDeferred<string>()
  const { resolve } = deferred
  const states: string[] = []
  void deferred.promise.then((value) => states.push(value))
  await Promise.resolve()
  expect(states).toEqual([])
  resolve('first')
  resolve('second')
  expect(await deferred.promise).toBe('first')
  expect(states).toEqual(['first'])
})
