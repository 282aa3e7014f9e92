// Which edited files the output of a server and its messages to pages name.

import { expect, test } from 'bun:test'
import type { JournalEntry } from '../../../src/core/sessions/journal/journal.ts'
import { filesInFrames, filesInLines, namesFile } from '../../../src/features/freshness/name-files.ts'

const folders = { folder: '/home/ada/app', pageFolder: '' }
const files = ['src/app.ts', '.env']
const entry = (at: number, text: string): JournalEntry => ({
  seq: at,
  at,
  kind: 'server',
  level: 'info',
  text,
})

test.each([
  ['./src/app.ts 386 bytes [built]', true],
  ['src/app.ts(1,14): error TS2322', true],
  ['/home/ada/app/src/app.ts changed', true],
  ['packages/a/src/app.ts', false],
  ['GET /src/app.ts 200', false],
  ['src/app.tsx', false],
  ['my-src/app.ts', false],
])('%s', (text, isNamed) => expect(namesFile(text, 'src/app.ts', folders)).toBe(isNamed))

test('a reload names its reason', () => {
  const lines = [
    entry(10, '[vite] (client) page reload src/app.ts'),
    entry(20, '[vite] .env changed, restarting server...'),
    entry(50, '[vite] (client) hmr update /src/app.ts'),
  ]
  expect(filesInLines(lines, files, folders)).toEqual([{ file: 'src/app.ts', at: 10, isApplied: false }])
})

test('messages of Vite and Next name what has changed, and errors name nothing', () => {
  const frame = (body: object) => ({ at: 10, direction: 'received' as const, body: JSON.stringify(body) })
  const named = filesInFrames(
    [
      frame({ type: 'full-reload', path: '*', triggeredBy: '/home/ada/app/src/app.ts' }),
      frame({
        event: 'client-hmr-latency',
        startTime: 7,
        updatedModules: ['[project]/src/app.ts [app-client]'],
      }),
      frame({ type: 'error', err: { id: '/home/ada/app/src/app.ts' } }),
    ],
    files,
    folders,
  )
  expect(named).toEqual([
    { file: 'src/app.ts', at: 10, isApplied: false },
    { file: 'src/app.ts', at: 7, isApplied: true },
  ])
})
