import { expect, test } from 'bun:test'
import { raceProlongable } from '../../../../src/core/base/system/race-deadline.ts'

const clock = () => performance.now()

test('work that asks for more time gets it, other work is stopped', async () => {
  const never = new Promise<string>(() => {})
  const stopped = await raceProlongable(5, [], clock, async ({ signal }) => {
    expect(signal.aborted).toBe(false)
    return never
  })
  expect(stopped).toMatchObject({ stopReason: 'deadline' })

  const prolonged = await raceProlongable(5, [], clock, async ({ signal, remaining, prolong }) => {
    prolong(600_000)
    await Bun.sleep(50)
    expect(remaining()).toBeGreaterThan(500_000)
    return signal.aborted
  })
  expect(prolonged).toEqual({ value: false })
})

test('a signal stops work that has asked for more time', async () => {
  const cancel = new AbortController()
  const result = await raceProlongable(5, [cancel.signal], clock, ({ prolong }) => {
    prolong(600_000)
    cancel.abort('cancelled')
    return new Promise(() => {})
  })
  expect(result).toMatchObject({ stopReason: 'cancelled' })
})
