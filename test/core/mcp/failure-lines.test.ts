// What a model reads of a failure.

import { describe, expect, test } from 'bun:test'
import type { Failure } from '../../../src/core/base/failure.ts'
import { accessDenied } from '../../../src/core/base/network/page-url.ts'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { failureResult } from '../../../src/core/mcp/answers/format-result.ts'
import type { Evidence } from '../../../src/core/tool/evidence.ts'

const url = 'http://127.0.0.1:4000/'
const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: '#go', waited: 300 }

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
      'SERVER_START_FAILED: The dev server failed to start: npm run dev ended with exit code 1. Fix what its last output names and call again.\nstderr:\n Error: no module\n  at a.js',
    )
  })
  test('what was printed is there although the command has the same words', () => {
    const command = `node -e "console.error('boom')"`
    const failure = {
      reason: 'exited',
      command,
      text: `${command} exited with code 0`,
      stderr: ['boom'],
    } as const
    expect(textOf({ code: 'SERVER_START_FAILED', ...failure }, undefined, { command })).toEndWith(
      '\nstderr: boom',
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
    `ELEMENT_NOT_FOUND: No element matched #go within 300 ms. Take a snapshot to see the page. Closest match: button "Go" (ref e1).
page: ${url} Form
console:
 -0.1 s error: "a"
candidates: link "On" [e2]
missing: console, requests (withheld)
missing: trace (not written)
screenshot: /out/failure-1.jpeg
trace: /out/trace.zip`,
  ))

test('what has nothing in common with the target is no closest match, and a ref without a snapshot says what to do', () => {
  const candidates = [{ role: 'button', name: 'Refresh', ref: 'e1' }]
  expect(textOf({ ...missing, target: '#nope' }, { candidates })).toBe(
    `ELEMENT_NOT_FOUND: No element matched #nope within 300 ms. Take a snapshot to see the page.
candidates: button "Refresh" [e1]`,
  )
  expect(textOf({ ...missing, target: 'ref e6', waited: 0, stale: true }, { candidates })).toBe(
    `ELEMENT_NOT_FOUND: The page has no ref e6. Take a snapshot first, then use its refs.
candidates: button "Refresh" [e1]`,
  )
  const wasRefresh = { ...missing, target: 'ref e6', waited: 0, stale: true, was: 'button "Refresh"' }
  expect(textOf(wasRefresh, { candidates })).toContain('Closest match: button "Refresh" (ref e1).')
})

test('failures of forms, of the history and of hosts say which one, and the next step', () => {
  expect(
    textOf({ code: 'BROWSER_ERROR', text: 'Fill out this field', invalidField: 'textbox "Email" [e3]' }),
  ).toBe(
    'BROWSER_ERROR: The form was not submitted, because textbox "Email" [e3] is not valid: Fill out this field. Give it a valid value, then submit again.',
  )
  expect(
    textOf({ code: 'NAVIGATION_FAILED', url: 'http://a/', reason: 'there is no page to go forward to' }),
  ).toBe('NAVIGATION_FAILED: There is no page to go forward to: the page is still http://a/. Use navigate.')
  const list = [
    { host: 'a.test', isWildcard: false },
    { host: 'b.test', isWildcard: true, port: 8080 },
  ]
  const denial = {
    host: '127.0.0.1',
    port: 8611,
    rule: 'the host is not in the allow-list',
    promptable: false,
    list,
  }
  expect(textOf(accessDenied('http://127.0.0.1:8611/', denial))).toBe(
    "ACCESS_DENIED: http://127.0.0.1:8611/ is not allowed (the host is not in the allow-list). Allowed: a.test, *.b.test:8080, the session's dev server. To allow it, add 127.0.0.1:8611 to allowedDomains of create_session, and to --allowed-hosts if Footlight was started with it.",
  )
})
