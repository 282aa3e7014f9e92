import { expect, test } from 'bun:test'
import { invalidParameter } from '../../../src/core/base/failure.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import { mock } from '../../../src/features/mock/tool.ts'
import { stillBrowsers, stillContext, stillResults, stillSessionManager } from '../../support/pages.ts'

test('a mock that cannot be applied is not listed', async () => {
  let isRefused = false
  const refusal = err(invalidParameter('sessionId', 'another session', 'this one'))
  const sessions = stillSessionManager(
    stillBrowsers({ perform: async ({ kind }) => (isRefused ? refusal : ok(stillResults[kind])) }),
  )
  const run = async (input: object) => {
    const call = mock.bind({ ...input })
    if (!call.ok) throw new Error(JSON.stringify(call.error))
    return call.value.run(stillContext(sessions))
  }
  const idsOf = (outcome: Awaited<ReturnType<typeof run>>) =>
    outcome.ok && (outcome.value.data as { mocks: { id: string }[] }).mocks.map(({ id }) => id)
  expect(idsOf(await run({ url: '/a', answer: { status: 500 } }))).toEqual(['m1'])
  isRefused = true
  expect((await run({ url: '/b', answer: { status: 500 } })).ok).toBe(false)
  expect(idsOf(await run({}))).toEqual(['m1'])
  await sessions.end(0)
})
