// What a model reads of a failure.

import { describe, expect, test } from 'bun:test'
import type { Failure } from '../../../src/core/failure.ts'
import { failureRecordOf } from '../../../src/mcp/answers/failure-text.ts'
import { failureResult } from '../../../src/mcp/answers/format-result.ts'
import type { Evidence } from '../../../src/runtime/ports/session-manager.ts'

const url = 'http://127.0.0.1:4000/'
const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: '#none', waited: 300 }

function textOf(failure: Failure, evidence?: Evidence, input = {}): string {
  const [block] = failureResult(failureRecordOf(failure, 1, 'session'), evidence, undefined, input).content
  return block?.type === 'text' ? block.text : ''
}

describe('details', () => {
  const refused: Failure = { code: 'NAVIGATION_FAILED', url, reason: 'ERR_CONNECTION_REFUSED' }
  const sentence = 'NAVIGATION_FAILED: The connection was refused. Is the server running on that port?'
  test('the address that was asked for is left out, however it was spelled', () => {
    expect(textOf(refused, undefined, { url })).toBe(sentence)
    expect(textOf(refused, undefined, { url: 'http://127.0.0.1:4000' })).toBe(sentence)
  })
  test('another one is there', () => expect(textOf(refused)).toBe(`${sentence}\nurl: ${url}`))
  test('what the message has is left out, lists that it has not are there', () => {
    expect(
      textOf({
        code: 'SERVER_START_FAILED',
        reason: 'exited',
        command: 'npm run dev',
        text: 'npm run dev ended with exit code 1',
        exitCode: 1,
        stderr: ['Error: no module', ' at a.js'],
        stdout: [],
      }),
    ).toBe(
      'SERVER_START_FAILED: The dev server failed to start: npm run dev ended with exit code 1. Its last output is in details.stderr; fix the cause and call again.\nstderr:\n Error: no module\n  at a.js',
    )
  })
})

test('evidence has one line for each fact, files by their paths, and the closest match once', () =>
  expect(
    textOf(missing, {
      page: { url, title: 'Form' },
      console: ['-0.1 s error: "a"'],
      candidates: [
        { role: 'button', name: 'Go', ref: 'e1' },
        { role: 'link', name: 'On', ref: 'e2' },
      ],
      missing: { console: 'withheld', trace: 'not written', requests: 'withheld' },
      screenshot: { path: '/out/failure-1.jpeg', resource: 'footlight://x', width: 1, height: 1 },
      trace: { name: 'trace.zip', path: '/out/trace.zip', resource: 'footlight://y' },
    }),
  ).toBe(
    `ELEMENT_NOT_FOUND: No element matched #none within 300 ms. Take a snapshot to see the page. Closest match: button "Go" (ref e1).
page: ${url} Form
console:
 -0.1 s error: "a"
candidates: link "On" [e2]
missing: console, requests (withheld)
missing: trace (not written)
screenshot: /out/failure-1.jpeg
trace: /out/trace.zip`,
  ))
