// The text of a success has what a model needs to go on, and nothing that it sent itself or was told before.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { resultTextOf } from '../../../src/core/mcp/answers/result-text.ts'
import type { ToolResult } from '../../../src/core/tool/tool-call.ts'

const url = 'http://127.0.0.1:4000/'
const sessionId = 'c0ffee00-1234-4abc-9def-0123456789ab'
type More = Omit<ToolResult, 'data'> & {
  readonly input?: Record<string, unknown>
  readonly showsSessionIds?: boolean
}
const textOf = (name: string, data: object, { input = {}, showsSessionIds, ...more }: More = {}) => {
  const tool = everyTool.find((one) => one.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return resultTextOf({ data, ...more }, tool.texts, input, showsSessionIds)
}

const rows: readonly [title: string, tool: string, data: object, more: More, text: string][] = [
  [
    'the address that was asked for is left out, however it was spelled',
    'navigate',
    { success: true, title: 'Form', url, status: 200 },
    { input: { url: 'http://127.0.0.1:4000' } },
    '200 Form',
  ],
  [
    'another address of the same server stands without its origin',
    'navigate',
    { success: true, title: 'Log in', url: `${url}login?next=1#a`, status: 200 },
    { input: { url: `${url}account` }, reportedUrl: url },
    '200 /login?next=1#a Log in',
  ],
  [
    'an address of another server stands as a whole',
    'navigate',
    { success: true, title: 'Log in', url: 'http://127.0.0.1:4001/login', status: 404 },
    { input: { url }, reportedUrl: url },
    '404 http://127.0.0.1:4001/login Log in',
  ],
  [
    'a redirect back to the page before has its address',
    'navigate',
    { success: true, title: 'Form', url, status: 200 },
    { input: { url: `${url}account` }, reportedUrl: url },
    '200 / Form',
  ],
  [
    'a reload has no address',
    'history',
    { success: true, title: 'Form', url, status: 200 },
    { reportedUrl: url },
    '200 Form',
  ],
  ['an action without consequences', 'click', { success: true, message: 'Clicked.' }, {}, 'Clicked.'],
  [
    'an action that led elsewhere',
    'click',
    {
      success: true,
      message: 'Clicked.',
      notes: ['Downloaded a.txt'],
      url: `${url}sent`,
      changes: '+ text: Sent',
    },
    { reportedUrl: url, otherChanges: '+ text: Sent' },
    'Clicked. → /sent\nDownloaded a.txt\n+ text: Sent',
  ],
  [
    'a dev server that ended says so after its state',
    'get_session_status',
    { name: 's1', status: 'stopped', url, message: 'It exited with code 3. Call restart_server.' },
    {},
    'server: stopped. It exited with code 3. Call restart_server. → http://127.0.0.1:4000/\nname: s1',
  ],
  [
    'nothing changed',
    'click',
    { success: true, message: 'Clicked.', changes: '' },
    { otherChanges: '' },
    'Clicked.\nNo changes.',
  ],
  [
    'an action that changed the page',
    'click',
    { success: true, message: 'Clicked.', changes: '~ status [e13]: Thank you' },
    { otherChanges: '~ status [e13]: Thank you' },
    '~ status [e13]: Thank you',
  ],
  [
    'an action whose way matters',
    'click',
    { success: true, message: 'Clicked by the keyboard.', changes: '~ status [e13]: Thank you' },
    { otherChanges: '~ status [e13]: Thank you' },
    'Clicked by the keyboard.\n~ status [e13]: Thank you',
  ],
  [
    'only what was typed changed',
    'type',
    { success: true, message: 'Typed.', changes: '~ textbox "Name" [e1]: Ada' },
    { otherChanges: '' },
    'Typed.',
  ],
  [
    'what was selected as asked',
    'select',
    { success: true, selected: ['Pro'] },
    { input: { values: ['Pro'] } },
    'Done.',
  ],
  [
    'another label than asked',
    'select',
    { success: true, selected: ['Pro'] },
    { input: { values: ['p'] } },
    'selected: Pro',
  ],
  ['numbers as a person says them', 'wait_for', { success: true, waited: 1499.772285 }, {}, 'Waited 1.5 s.'],
  ['a count', 'exists', { exists: true, count: 1 }, {}, '1 match'],
  [
    'a snapshot of the page that was reported',
    'snapshot',
    { url, title: 'Form', snapshot: 'heading "A"', truncated: false },
    { reportedUrl: url },
    'heading "A"',
  ],
  [
    'a snapshot of another page, in part',
    'snapshot',
    { url, title: 'Form', snapshot: 'heading "A"', truncated: true, cursor: '0', resource: 'footlight://x' },
    { reportedUrl: 'about:blank' },
    `${url} Form\nheading "A"\n… more: cursor 0`,
  ],
  [
    'content that goes on',
    'get_content',
    { content: 'a\nb', truncated: true, cursor: '8000' },
    {},
    ' a\n b\n… more: cursor 8000',
  ],
  [
    'lines of a log',
    'read_server_logs',
    { text: 'a\nb', lineCount: 2, truncated: false, seq: 7 },
    {},
    ' a\n b\nseq: 7',
  ],
  [
    'a list',
    'console_messages',
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
  ['an empty list', 'console_messages', { entries: [], dropped: 0 }, {}, 'None.'],
  [
    'requests',
    'network_requests',
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
    'timeline',
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
    'list_sessions',
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
    'create_session',
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
    'create_session',
    { sessionId, name: 's1', expiresAt: 1, message: 'Session s1 is open.' },
    {},
    'Session s1 is open.',
  ],
  [
    'a new session with a name, where a name is not enough to find it',
    'create_session',
    { sessionId, name: 's1', expiresAt: 1, message: 'Session s1 is open.' },
    { showsSessionIds: true },
    `Session s1 is open.\nsessionId: ${sessionId}`,
  ],
  [
    'the state of a session',
    'get_session_status',
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
    'click',
    { success: true, message: 'Clicked.', dialog: { type: 'confirm', message: 'Sure?' } },
    {},
    'Clicked.\nOpen dialog: confirm "Sure?"; answer it with handle_dialog.',
  ],
  [
    'a file',
    'pdf',
    { success: true, path: '/out/page.pdf', resource: 'footlight://x' },
    {},
    'path: /out/page.pdf',
  ],
  [
    'a file that was named',
    'storage_state',
    { success: true, path: 'a.json' },
    { input: { path: 'a.json' } },
    'Done.',
  ],
  [
    'elements',
    'dom_snapshot',
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
    'network_requests',
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
  test.each(rows)('%s', (_, tool, data, more, text) => expect(textOf(tool, data, more)).toBe(text))
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
  ])('%p reads %s', (result, text) => expect(textOf('evaluate', { result })).toBe(text))

  test('strings and other values are never mistaken for each other', () =>
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (string, value) => {
        if (typeof value !== 'string')
          expect(textOf('evaluate', { result: value })).not.toBe(textOf('evaluate', { result: string }))
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
        const text = textOf('console_messages', data, { reportedUrl: url })
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
