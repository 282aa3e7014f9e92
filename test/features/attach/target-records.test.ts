import { expect, test } from 'bun:test'
import { createLineReader } from '../../../src/core/base/text/line-reader.ts'
import { findAttachConflict } from '../../../src/features/attach/attach-conflict.ts'
import { formatRelayLine, parseRelayLine } from '../../../src/features/attach/relay-lines.ts'
import {
  formatChange,
  formatRecordName,
  openingUrlOf,
  parseRecordName,
  selectLeftTargets,
} from '../../../src/features/attach/target-records.ts'

const TAG = '0f0f0f0f-1111-2222-3333-444444444444'
const tab = (targetId: string, url = 'https://example.org/', openerId?: string) => ({
  targetId,
  type: 'page',
  url,
  ...(openerId !== undefined && { openerId }),
})

test('the tabs of a record: the open ones, the one that was being opened, and what they have opened', () => {
  const record = [
    formatChange('opened', 'A'),
    formatChange('opened', 'B'),
    formatChange('gone', 'B'),
    '+CUT',
  ].join('')
  const targets = [
    tab('A'),
    tab('FOREIGN'),
    tab('OPENING', openingUrlOf(TAG)),
    tab('POPUP', 'https://example.org/', 'A'),
    tab('POPUP-OF-POPUP', 'https://example.org/', 'POPUP'),
    tab('POPUP-OF-B', 'https://example.org/', 'B'),
    tab('CUT'),
    tab('OTHER-TAG', openingUrlOf('0f0f0f0f-1111-2222-3333-555555555555')),
    { ...tab('WORKER', 'https://example.org/', 'A'), type: 'worker' },
  ]
  expect(selectLeftTargets(targets, record, TAG).toSorted()).toEqual([
    'A',
    'OPENING',
    'POPUP',
    'POPUP-OF-B',
    'POPUP-OF-POPUP',
  ])
  expect(selectLeftTargets(targets, '', '0f0f0f0f-1111-2222-3333-666666666666')).toEqual([])
})

test('names of records', () => {
  expect(parseRecordName(formatRecordName({ pid: 42, tag: TAG }))).toEqual({ pid: 42, tag: TAG })
  for (const name of ['', '42', `${TAG}-42`, '.DS_Store', `42-${TAG}.tmp`])
    expect(parseRecordName(name)).toBeUndefined()
})

test('lines are the same whatever the chunks', () => {
  const data = { text: 'line\nbreak and space', list: [1, 'ü'] }
  const text =
    formatRelayLine('message', '7', data) + formatRelayLine('close', '7') + formatRelayLine('ready')
  for (let size = 1; size < text.length; size += 3) {
    const lines: string[] = []
    const read = createLineReader((line) => lines.push(line))
    for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size))
    expect(lines.map(parseRelayLine)).toEqual([
      { kind: 'message', client: '7', data },
      { kind: 'close', client: '7', data: undefined },
      { kind: 'ready', client: '-', data: undefined },
    ])
  }
})

test('options that cannot hold in a running browser are named with the reason', () => {
  expect(findAttachConflict({ attach: true })).toBeUndefined()
  expect(findAttachConflict({ attach: false, viewport: {}, allowedDomains: [] })).toBeUndefined()
  expect(findAttachConflict({ attach: true, browser: 'msedge', ignoreHTTPSErrors: false })).toBeUndefined()
  for (const [name, value] of Object.entries({
    browser: 'firefox',
    allowedDomains: [],
    storageState: {},
    restore: 'x',
    headless: true,
    isolation: 'context',
    viewport: {},
    device: 'x',
    userAgent: 'x',
    locale: 'x',
    timezone: 'x',
    ignoreHTTPSErrors: true,
  }))
    expect(findAttachConflict({ attach: true, [name]: value })).toMatchObject({
      code: 'INVALID_PARAMETERS',
      field: name,
    })
})
