import { expect, test } from 'bun:test'
import type { Outcome } from '../../../src/core/base/failure.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import type { PlaceUse } from '../../../src/core/browser/playwright/browser-source.ts'
import { createSpread } from '../../../src/features/remote/spread-sessions.ts'

function start(count: number) {
  const passedOver: string[] = []
  const failing = new Set<number>()
  let now = 0
  const spread = createSpread(
    count,
    () => now,
    (text) => passedOver.push(text),
  )
  const open = () =>
    spread.open(async (place): Promise<Outcome<PlaceUse>> => {
      if (failing.has(place.index))
        return err({ code: 'BROWSER_ERROR', text: `no answer from ${place.index}`, next: 'Start it.' })
      return ok(place)
    })
  const openOrThrow = async () => {
    const opened = await open()
    if (!opened.ok) throw new Error(JSON.stringify(opened.error))
    return opened.value
  }
  return { spread, open, openOrThrow, failing, passedOver, pass: (ms: number) => (now += ms) }
}

test('a session goes to the place with the fewest, the first of several', async () => {
  const { openOrThrow } = start(3)
  const uses = await Promise.all(Array.from({ length: 4 }, openOrThrow))
  expect(uses.map(({ index }) => index)).toEqual([0, 1, 2, 0])
  uses[1]?.end()
  uses[1]?.end()
  expect((await openOrThrow()).index).toBe(1)
  expect((await openOrThrow()).index).toBe(1)
})

test('a place that fails is passed over with its reason, and gets no session until the delay has passed', async () => {
  const { openOrThrow, failing, passedOver, pass } = start(2)
  failing.add(0)
  expect((await openOrThrow()).index).toBe(1)
  expect(passedOver).toEqual(['no answer from 0; another one is tried'])
  failing.clear()
  expect((await openOrThrow()).index).toBe(1)
  pass(10_001)
  expect((await openOrThrow()).index).toBe(0)
})

test('when all fail, all are named, also those that wait for a retry; what is no fault of a place is not tried again', async () => {
  const { open, spread, failing } = start(2)
  failing.add(0).add(1)
  for (let round = 0; round < 2; round += 1)
    expect(await open()).toEqual({
      ok: false,
      error: {
        code: 'BROWSER_ERROR',
        text: expect.stringMatching(
          /^none of 2 endpoints has opened a page: no answer from \d; no answer from \d$/,
        ),
        next: 'Start it.',
      },
    })
  let attempts = 0
  await spread.open(async () => {
    attempts += 1
    return err({ code: 'MAX_SESSIONS_REACHED', limit: 1, active: 1 })
  })
  expect(attempts).toBe(1)
})
