import { expect, test } from 'bun:test'
import { findAttachConflict } from '../../../src/features/attach/attach-conflict.ts'
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
