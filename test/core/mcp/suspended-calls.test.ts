// A call with a question to the user: it is answered by `input_required`, and the next request continues it.

import { expect, test } from 'bun:test'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { createSuspendedCalls, type SuspendedCalls } from '../../../src/core/mcp/calls/suspended-calls.ts'
import type { HostQuestion } from '../../../src/core/tool/tool-call.ts'

const question = (host: string): HostQuestion => ({ host, port: 80, addresses: ['192.0.2.1'] })
const resultOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const createRound = (texts: string[] = []) => {
  const abort = new AbortController()
  return { abort, round: { signal: abort.signal, progress: (text: string) => void texts.push(text) } }
}
const yes = { allow: { action: 'accept', content: { allow: true } } }

type Run = Parameters<SuspendedCalls['start']>[2]
const askAbout =
  (...hosts: string[]): Run =>
  async ({ ask, progress }) => {
    const answers: string[] = []
    for (const host of hosts) {
      progress(`before ${host}`)
      answers.push(`${host} ${await ask?.(question(host), 's1')}`)
    }
    return resultOf(answers.join(', '))
  }

async function startWithQuestion(calls: SuspendedCalls, run: Run, client = 'c'): Promise<string> {
  const outcome = await calls.start(client, createRound().round, run)
  if (!('requestState' in outcome)) throw new Error(`no question: ${JSON.stringify(outcome)}`)
  expect(outcome.resultType).toBe('input_required')
  return String(outcome.requestState)
}

test('a call without a question has its result at once', async () => {
  const calls = createSuspendedCalls()
  expect(await calls.start('c', createRound().round, async () => resultOf('done'))).toEqual(resultOf('done'))
})

test('each question is one round, whose progress goes to the request that waits', async () => {
  const calls = createSuspendedCalls()
  const [first, second]: [string[], string[]] = [[], []]
  const outcome = await calls.start('c', createRound(first).round, askAbout('a', 'b'))
  expect(outcome).toMatchObject({
    resultType: 'input_required',
    inputRequests: { allow: { method: 'elicitation/create', params: { mode: 'form' } } },
  })
  const next = await calls.resume('c', createRound(second).round, outcome['requestState'], yes)
  expect(next).toMatchObject({ resultType: 'input_required' })
  expect(next['requestState']).not.toBe(outcome['requestState'])
  const decline = { allow: { action: 'decline' } }
  expect(await calls.resume('c', createRound().round, next['requestState'], decline)).toEqual(
    resultOf('a true, b false'),
  )
  expect([first, second]).toEqual([['before a'], ['before b']])
})

test.each([
  [{ allow: { action: 'accept', content: { allow: 'true' } } }],
  [{ allow: { action: 'accept', content: {} } }],
  [{ allow: { action: 'accept' } }],
  [{ allow: { action: 'cancel' } }],
  [{ allow: null }],
  [{ allow: 'yes' }],
])('%j is no yes', async (responses) => {
  const calls = createSuspendedCalls()
  const id = await startWithQuestion(calls, askAbout('a'))
  expect(await calls.resume('c', createRound().round, id, responses)).toEqual(resultOf('a false'))
})

test('a request without an answer gets the question again', async () => {
  const calls = createSuspendedCalls()
  const id = await startWithQuestion(calls, askAbout('a'))
  const outcome = await calls.resume('c', createRound().round, id, { other: yes.allow })
  expect(outcome).toMatchObject({ resultType: 'input_required' })
  expect(await calls.resume('c', createRound().round, outcome['requestState'], yes)).toEqual(
    resultOf('a true'),
  )
})

test('only its client continues a call, once, by the id that was sent', async () => {
  const calls = createSuspendedCalls()
  const id = await startWithQuestion(calls, askAbout('a'))
  const { round } = createRound()
  for (const [client, state] of [
    ['another', id],
    ['c', `${id}-`],
    ['c', undefined],
    ['c', { id }],
  ] as const)
    await expect(calls.resume(client, round, state, yes)).rejects.toMatchObject({ code: -32_602 })
  expect(await calls.resume('c', round, id, yes)).toEqual(resultOf('a true'))
  await expect(calls.resume('c', round, id, yes)).rejects.toMatchObject({ code: -32_602 })
})

test('a question that nobody answers in time is answered with no', async () => {
  const calls = createSuspendedCalls(1)
  let answer: boolean | undefined
  const ended = new Promise<void>((resolve) => {
    void calls.start('c', createRound().round, async ({ ask }) => {
      answer = await ask?.(question('a'), 's1')
      resolve()
      return resultOf('ended')
    })
  })
  await ended
  expect(answer).toBe(false)
})

test('the client cancels the call by cancelling the request that waits for it, not an earlier one', async () => {
  const calls = createSuspendedCalls()
  const first = createRound()
  let reason: unknown
  const outcome = await calls.start('c', first.round, async ({ ask, signal }) => {
    await ask?.(question('a'), 's1')
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    reason = signal.reason
    return resultOf('cancelled')
  })
  first.abort.abort('too early')
  const second = createRound()
  const resumption = calls.resume('c', second.round, outcome['requestState'], yes)
  second.abort.abort('enough')
  expect(await resumption).toEqual(resultOf('cancelled'))
  expect(reason).toBe('enough')
})
