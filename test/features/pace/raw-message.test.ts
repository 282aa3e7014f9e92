import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  closeJson,
  countLines,
  omissionAfter,
  readCutMessage,
  readShape,
} from '../../../src/features/pace/raw-message.ts'

const session = 'AB'.repeat(16)
const shapeOf = (message: object) => {
  const text = JSON.stringify(message)
  return readShape(text.slice(0, 160), text.slice(-160))
}

test('the shape of events, answers and attachments', () => {
  expect(shapeOf({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: session })).toEqual({
    method: 'Page.loadEventFired',
    isReport: false,
    session,
  })
  expect(shapeOf({ id: 3, result: { text: '"method":"x"' } })).toEqual({
    method: undefined,
    isReport: false,
    session: '',
  })
  const attached = {
    method: 'Target.attachedToTarget',
    params: { sessionId: 'CD'.repeat(16) },
    sessionId: session,
  }
  expect(shapeOf(attached)).toMatchObject({ session, attachedSession: 'CD'.repeat(16) })
  const frame = (opcode: number) => ({
    method: 'Network.webSocketFrameReceived',
    params: { requestId: '123456.789', timestamp: 123456.789012, response: { opcode, mask: false } },
    sessionId: session,
  })
  expect([shapeOf(frame(1)).isReport, shapeOf(frame(2)).isReport]).toEqual([true, false])
  // The text of a page is no session.
  expect(shapeOf({ id: 1, result: { value: `"sessionId":"${session}"}` } }).session).toBe('')
})

test('a long message is cut within its text, and has its session and context', () => {
  const message = JSON.stringify({
    method: 'Runtime.consoleAPICalled',
    params: {
      type: 'log',
      args: [{ type: 'string', value: `start "executionContextId":9 ${'x"\\'.repeat(1000)}` }],
      executionContextId: 4,
      timestamp: 5,
    },
    sessionId: session,
  })
  for (const end of [200, 201, 202, 203, 204, 205])
    expect(readCutMessage(message.slice(0, end), message.slice(-200))).toMatchObject({
      method: 'Runtime.consoleAPICalled',
      params: {
        type: 'log',
        args: [{ value: expect.stringMatching(/^start "exec/) }],
        executionContextId: 4,
      },
      sessionId: session,
    })
})

test('property: JSON that is cut anywhere can be read, and what it has was there', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (value, share) => {
        const text = JSON.stringify(value)
        const cut = closeJson(text.slice(0, 1 + Math.floor(share * (text.length - 1))))
        expect(text.startsWith(cut.slice(0, 1))).toBe(true)
        const read = JSON.parse(cut) as Record<string, unknown>
        for (const name of Object.keys(read)) expect(Object.keys(JSON.parse(text) as object)).toContain(name)
      },
    ),
    { numRuns: 1000 },
  )
})

test('a notice of a page counts for the lines that it tells of, the same text of another function for one', () => {
  const line = { method: '', params: { executionContextId: 1, timestamp: 2 }, sessionId: session }
  const countOf = (functionName: string) =>
    countLines(JSON.stringify(omissionAfter(line, 'left out', functionName, 96_606)), 'left out', 'later')
  expect(countOf('later')).toBe(96_606)
  expect(countOf('other')).toBe(1)
})
