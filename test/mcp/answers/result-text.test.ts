// The text of a success has what a model needs to go on, and nothing that it sent itself or was told before.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { resultTextOf } from '../../../src/mcp/answers/result-text.ts'
import type { ToolResult } from '../../../src/runtime/ports/tool-call.ts'

const url = 'http://127.0.0.1:4000/'
const sessionId = 'c0ffee00-1234-4abc-9def-0123456789ab'
type More = Omit<ToolResult, 'data'> & {
  readonly input?: Record<string, unknown>
  readonly showsSessionIds?: boolean
}
const textOf = (data: object, { input = {}, showsSessionIds, ...more }: More = {}) =>
  resultTextOf({ data, ...more }, input, showsSessionIds)

const rows: readonly [title: string, data: object, more: More, text: string][] = [
  [
    'the address that was asked for is left out, however it was spelled',
    { success: true, title: 'Form', url, status: 200 },
    { input: { url: 'http://127.0.0.1:4000' } },
    '200 Form',
  ],
  [
    'another address of the same server stands without its origin',
    { success: true, title: 'Log in', url: `${url}login?next=1#a`, status: 200 },
    { input: { url: `${url}account` }, reportedUrl: url },
    '200 /login?next=1#a Log in',
  ],
  [
    'an address of another server stands as a whole',
    { success: true, title: 'Log in', url: 'http://127.0.0.1:4001/login', status: 404 },
    { input: { url }, reportedUrl: url },
    '404 http://127.0.0.1:4001/login Log in',
  ],
  [
    'a redirect back to the page before is news',
    { success: true, title: 'Form', url, status: 200 },
    { input: { url: `${url}account` }, reportedUrl: url },
    '200 / Form',
  ],
  [
    'a reload has no address',
    { success: true, title: 'Form', url, status: 200 },
    { reportedUrl: url },
    '200 Form',
  ],
  ['an action without consequences', { success: true, message: 'Clicked.' }, {}, 'Clicked.'],
  [
    'an action that led elsewhere',
    {
      success: true,
      message: 'Clicked.',
      notes: ['Downloaded a.txt'],
      url: `${url}sent`,
      changes: '+ text: Sent',
    },
    { reportedUrl: url, news: '+ text: Sent' },
    'Clicked. → /sent\nDownloaded a.txt\n+ text: Sent',
  ],
  [
    'a dev server that ended says so after its state',
    { name: 's1', status: 'stopped', url, message: 'It exited with code 3. Call restart_server.' },
    {},
    'server: stopped. It exited with code 3. Call restart_server. → http://127.0.0.1:4000/\nname: s1',
  ],
  [
    'nothing changed',
    { success: true, message: 'Clicked.', changes: '' },
    { news: '' },
    'Clicked.\nNo changes.',
  ],
  [
    'an action that changed the page',
    { success: true, message: 'Clicked.', changes: '~ status [e13]: Thank you' },
    { news: '~ status [e13]: Thank you' },
    '~ status [e13]: Thank you',
  ],
  [
    'an action whose way matters',
    { success: true, message: 'Clicked by the keyboard.', changes: '~ status [e13]: Thank you' },
    { news: '~ status [e13]: Thank you' },
    'Clicked by the keyboard.\n~ status [e13]: Thank you',
  ],
  [
    'only what was typed changed',
    { success: true, message: 'Typed.', changes: '~ textbox "Name" [e1]: Ada' },
    { news: '' },
    'Typed.',
  ],
  [
    'what was selected as asked',
    { success: true, selected: ['Pro'] },
    { input: { values: ['Pro'] } },
    'Done.',
  ],
  [
    'another label than asked',
    { success: true, selected: ['Pro'] },
    { input: { values: ['p'] } },
    'selected: Pro',
  ],
  ['numbers as a person says them', { success: true, waited: 1499.772285 }, {}, 'Waited 1.5 s.'],
  ['a count', { exists: true, count: 1 }, {}, '1 match'],
  [
    'a snapshot of the page that was reported',
    { url, title: 'Form', snapshot: 'heading "A"', truncated: false },
    { reportedUrl: url },
    'heading "A"',
  ],
  [
    'a snapshot of another page, in part',
    { url, title: 'Form', snapshot: 'heading "A"', truncated: true, cursor: '0', resource: 'footlight://x' },
    { reportedUrl: 'about:blank' },
    `${url} Form\nheading "A"\n… more: cursor 0`,
  ],
  [
    'content that goes on',
    { content: 'a\nb', truncated: true, cursor: '8000' },
    {},
    ' a\n b\n… more: cursor 8000',
  ],
  ['lines of a log', { text: 'a\nb', lineCount: 2, truncated: false, seq: 7 }, {}, ' a\n b\nseq: 7'],
  [
    'a list',
    {
      entries: [
        {
          seq: 3,
          timestamp: 1,
          level: 'error',
          message: 'no\nline 2',
          location: { url, line: 3, column: 1 },
          count: 2,
        },
      ],
      dropped: 4,
      cursor: '3',
    },
    {},
    `3 error: no\n line 2 (2 times) (${url}:3:1)\ndropped: 4\n… more: cursor 3`,
  ],
  ['an empty list', { entries: [], dropped: 0 }, {}, 'None.'],
  [
    'requests',
    {
      entries: [
        {
          seq: 1,
          method: 'GET',
          url: `${url}a?b`,
          type: 'document',
          state: 'done',
          status: 200,
          mimeType: 'text/html',
          duration: 83.4,
        },
        {
          seq: 2,
          method: 'POST',
          url: 'http://other/',
          type: 'fetch',
          state: 'failed',
          failure: 'net::ERR_FAILED',
        },
        {
          seq: 3,
          method: 'GET',
          url,
          type: 'websocket',
          state: 'pending',
          frames: [{ direction: 'sent', bytes: 3 }],
        },
      ],
      dropped: 0,
    },
    { reportedUrl: `${url}start` },
    '1 GET /a?b → 200 document 83 ms\n2 POST http://other/ → net::ERR_FAILED fetch\n3 GET / → pending websocket\n sent: 3 bytes',
  ],
  [
    'a timeline',
    {
      entries: [
        { seq: 1, timestamp: 1000, kind: 'action', level: 'info', text: 'click: done' },
        { seq: 2, timestamp: 2540, kind: 'page', level: 'info', text: 'x' },
      ],
      dropped: 0,
    },
    {},
    '1 +0.0 s action: click: done\n2 +1.5 s page: x',
  ],
  [
    'tabs',
    {
      tabs: [
        { id: 't1', url, title: 'Form', active: true },
        { id: 't2', url, title: '', active: false },
      ],
    },
    {},
    `t1 ${url} (active) Form\nt2 ${url}`,
  ],
  [
    'sessions',
    {
      sessions: [
        { sessionId, browser: 'chromium', status: 'open' },
        { sessionId, name: 'ada', browser: 'firefox', status: 'opening' },
      ],
    },
    {},
    `${sessionId} chromium open\nada firefox opening`,
  ],
  [
    'a new session without a name, with a server',
    {
      sessionId,
      expiresAt: 1,
      message: `Session is open. Ready at ${url}`,
      url,
      port: 4000,
      pid: 1,
      startedAt: 'x',
      logs: { stdout: '/a', stderr: '/b', combined: '/c' },
    },
    {},
    `Session is open. Ready at ${url}\nsessionId: ${sessionId}\nlogs: /c`,
  ],
  [
    'a new session with a name',
    { sessionId, name: 's1', expiresAt: 1, message: 'Session s1 is open.' },
    {},
    'Session s1 is open.',
  ],
  [
    'a new session with a name, where a name is not enough to find it',
    { sessionId, name: 's1', expiresAt: 1, message: 'Session s1 is open.' },
    { showsSessionIds: true },
    `Session s1 is open.\nsessionId: ${sessionId}`,
  ],
  [
    'the state of a session',
    {
      status: 'running',
      page: { url, title: 'Form' },
      expiresAt: 0,
      url: 'http://localhost:1/',
      uptime: 90_500,
      healthy: true,
    },
    {},
    `server: running → http://localhost:1/\npage: ${url} Form\nexpires: 1970-01-01T00:00:00Z\nup 2 min`,
  ],
  [
    'an open dialog',
    { success: true, message: 'Clicked.', dialog: { type: 'confirm', message: 'Sure?' } },
    {},
    'Clicked.\nOpen dialog: confirm "Sure?"; answer it with handle_dialog.',
  ],
  ['a file', { success: true, path: '/out/page.pdf', resource: 'footlight://x' }, {}, 'path: /out/page.pdf'],
  ['a file that was named', { success: true, path: 'a.json' }, { input: { path: 'a.json' } }, 'Done.'],
  [
    'elements',
    {
      nodes: [
        { tag: 'ul', attributes: { class: 'a b', hidden: '' }, children: [{ tag: 'li', text: 'One' }] },
      ],
      truncated: true,
    },
    {},
    '<ul class="a b" hidden>\n <li> One\n… truncated',
  ],
  [
    'one request',
    {
      entries: [],
      dropped: 0,
      request: { headers: { accept: '*/*' } },
      response: { body: 'a\nb', note: '' },
    },
    {},
    'None.\nrequest:\n headers:\n  accept: */*\nresponse:\n body:\n  a\n  b',
  ],
]

describe('what a model reads of a success', () => {
  test.each(rows)('%s', (_, data, more, text) => expect(textOf(data, more)).toBe(text))
})

describe('the result of a script', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['1', '"1"'],
    ['', '""'],
    ['null', '"null"'],
    ['{}', '"{}"'],
    [1, '1'],
    [null, 'null'],
    [{ a: [1, ''] }, '{"a":[1,""]}'],
  ])('%p reads %s', (result, text) => expect(textOf({ result })).toBe(text))

  test('strings and other values are never mistaken for each other', () =>
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (string, value) => {
        if (typeof value !== 'string') expect(textOf({ result: value })).not.toBe(textOf({ result: string }))
      }),
      { numRuns: 500 },
    ))
})

test('what an agent needs to go on is in every text, and nothing is ever empty or unreadable', () =>
  fc.assert(
    fc.property(
      fc.record(
        {
          success: fc.boolean(),
          message: fc.constant('Clicked.'),
          changes: fc.constantFrom('', '+ button "Go" [e12]'),
          notes: fc.array(fc.constantFrom('Downloaded a.txt', 'A tab was opened: t2')),
          cursor: fc.nat().map(String),
          dropped: fc.nat(),
          path: fc.constant('/out/a.png'),
          url: fc.constantFrom(url, `${url}next`),
          entries: fc.array(fc.record({ seq: fc.nat(), level: fc.constant('info'), message: fc.string() })),
          truncated: fc.boolean(),
          future: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      (data) => {
        const text = textOf(data, { reportedUrl: url })
        expect(text).not.toMatch(/undefined|\[object|"success"/)
        expect(text.trim()).not.toBe('')
        for (const note of data.notes ?? []) expect(text).toContain(note)
        for (const { seq } of data.entries ?? []) expect(text).toContain(`${seq} info:`)
        if (data.changes) expect(text).toContain('[e12]')
        if (data.cursor) expect(text).toContain(`cursor ${data.cursor}`)
        if (data.dropped) expect(text).toContain(`dropped: ${data.dropped}`)
        if (data.path) expect(text).toContain('/out/a.png')
        if (data.url === `${url}next`) expect(text).toContain('/next')
      },
    ),
    { numRuns: 500 },
  ))
