import { expect, test } from 'bun:test'
import { abortWith, race } from '../../../src/core/base/system/race-deadline.ts'
import { createCallQueue } from '../../../src/core/sessions/call/call-queue.ts'

test('calls of one key run in the order they came, other keys beside them', async () => {
  const queue = createCallQueue()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const a1 = queue.add('a', async () => (log.push('a1 in'), await first.promise, log.push('a1 out'))).result
  const a2 = queue.add('a', async () => log.push('a2')).result
  const b1 = queue.add('b', async () => log.push('b1')).result
  await b1
  expect(log).toEqual(['a1 in', 'b1'])
  expect(queue.size('a')).toBe(2)
  first.resolve()
  await Promise.all([a1, a2])
  expect(log).toEqual(['a1 in', 'b1', 'a1 out', 'a2'])
})

test('a failing call does not stop the next, and an empty line is forgotten', async () => {
  const queue = createCallQueue()
  const failed = queue.add('a', () => Promise.reject(new Error('no'))).result
  const after = queue.add('a', async () => 'yes').result
  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
  await Promise.resolve()
  expect(queue.size('a')).toBe(0)
})

test('a call that leaves before its turn makes room at once, one that runs stays', async () => {
  const queue = createCallQueue()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const running = queue.add('a', () => first.promise, { timeout: 5 })
  const waiting = queue.add('a', async () => log.push('left'), { timeout: 90 })
  const last = queue.add('a', async () => log.push('last'), { timeout: 7 })
  expect([running.leave(), waiting.leave(), waiting.leave()]).toEqual([false, true, false])
  expect([queue.size('a'), queue.maximumTimeout('a'), queue.total()]).toEqual([2, 7, 2])
  first.resolve()
  await last.result
  expect(log).toEqual(['last'])
})

test('a race ends with the value, at the deadline, or with the reason of a signal', async () => {
  const never = () => new Promise<never>(() => {})
  expect(await race(1000, [], async () => 7)).toEqual({ value: 7 })
  expect(await race(5, [], never)).toMatchObject({ stopReason: 'deadline' })
  const closed = new AbortController()
  const raced = race(1000, [closed.signal], never)
  abortWith(closed, 'closed')
  expect(await raced).toMatchObject({ stopReason: 'closed' })
  expect(await race(1000, [AbortSignal.abort()], never)).toMatchObject({ stopReason: 'cancelled' })
})

test('abandoned work is stopped by its signal, and its late rejection is ignored', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  let workSignal: AbortSignal | undefined
  expect(await race(5, [], (signal) => ((workSignal = signal), promise))).toMatchObject({
    stopReason: 'deadline',
  })
  expect(workSignal?.aborted).toBe(true)
  reject(new Error('late'))
  await Promise.resolve()
})
