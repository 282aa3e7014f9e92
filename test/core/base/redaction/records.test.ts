import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stripTerminalCodes } from '../../../../src/core/base/text/terminal-codes.ts'
import { findAnnouncedUrl } from '../../../../src/core/devserver/dev-server.ts'
import { createJournal, type EntryKind } from '../../../../src/core/sessions/journal/journal.ts'
import { findClosestElements } from '../../../../src/core/snapshot/closest-elements.ts'
import { linesOf } from '../../../../src/core/snapshot/snapshot-lines.ts'

const kind = fc.constantFrom<EntryKind>('action', 'console', 'request', 'server')

test('a journal keeps the newest of each kind, in order, counts what it dropped, and pages back without a gap', () => {
  fc.assert(
    fc.property(
      fc.array(kind, { maxLength: 120 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 15 }),
      (kinds, room, limit) => {
        const journal = createJournal({ entries: room, bytes: 1e6 })
        kinds.forEach((one, at) => journal.add({ kind: one, at, text: `${at}`, level: 'info' }))
        const expected = kinds
          .map((one, index) => ({ one, seq: index + 1 }))
          .filter(({ one, seq }) => kinds.slice(seq).filter((later) => later === one).length < room)
          .map(({ seq }) => seq)
        const seen: number[] = []
        for (let before: number | undefined = Infinity; before !== undefined;) {
          const page: ReturnType<typeof journal.read> = journal.read({ limit, before })
          seen.unshift(...page.entries.map(({ seq }) => seq))
          expect(page.dropped).toBe(kinds.length - expected.length)
          before = page.cursor
        }
        expect(seen).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})

test('a journal is bounded in bytes, and a long text is cut', () => {
  const journal = createJournal({ entries: 1e6, bytes: 150_000 })
  for (let at = 0; at < 5000; at += 1)
    journal.add({ kind: 'console', at, text: 'x'.repeat(20_000), level: 'info' })
  const { entries, dropped } = journal.read({ limit: 1e6 })
  expect(entries.length).toBeLessThan(10)
  expect(entries.length + dropped).toBe(5000)
  expect(entries[0]?.text).toHaveLength(12_001)
})

test('a journal can be read since a seq, by kind, and by what an entry says', () => {
  const journal = createJournal({ entries: 100, bytes: 1e6 })
  for (const text of ['a', 'b', 'c']) journal.add({ kind: 'console', at: 1, text, level: 'error' })
  journal.add({ kind: 'action', at: 2, text: 'd', level: 'info' })
  const texts = (query: object) => journal.read({ limit: 10, ...query }).entries.map(({ text }) => text)
  expect(texts({ since: 2 })).toEqual(['c', 'd'])
  expect(texts({ kinds: ['console'] })).toEqual(['a', 'b', 'c'])
  expect(texts({ accept: ({ text }: { text: string }) => text !== 'b' })).toEqual(['a', 'c', 'd'])
})

describe('addresses in the output of a server', () => {
  test.each([
    [
      '  \u001b[32m➜\u001b[39m  \u001b[1mLocal\u001b[22m:   \u001b[36mhttp://localhost:\u001b[1m5174\u001b[22m/\u001b[39m',
      'http://localhost:5174/',
    ],
    ['Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...', 'http://localhost:8000/'],
    ['ready on http://[::]:3000', 'http://localhost:3000/'],
    ['ready on http://[::1]:3000', 'http://[::1]:3000/'],
    ['ready on http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['portless: http://shop.web.localhost:3000/', 'http://shop.web.localhost:3000/'],
    ['http://localhost.example.com:3000/', undefined],
    ['started server on https://localhost:3000/app, url', 'https://localhost:3000/app'],
    ['Network: http://192.168.1.5:5173/', undefined],
    ['see https://vite.dev/guide', undefined],
    ['http://localhost/ without a port', undefined],
  ])('%p', (line, expected) => expect(findAnnouncedUrl(line)).toBe(expected))
  test('lines lose their terminal codes', () =>
    expect(stripTerminalCodes('\u001b[2J\u001b[1;31mred\u001b[0m\r')).toBe('red'))
})

describe('candidates', () => {
  const tree = linesOf([
    {
      role: 'generic',
      children: [
        { role: 'button', name: 'Submit order', ref: 'e1' },
        { role: 'link', name: 'Home', ref: 'e2' },
        {
          role: 'generic',
          name: 'submit area',
          ref: 'e3',
          children: [{ role: 'textbox', name: 'Order number', ref: 'e4' }, 'text'],
        },
      ],
    },
  ])
  test.each([
    ['#submit-ordr', 'e1'],
    ['#orderNumber', 'e4'],
    ['text=Hme', 'e2'],
    ['button[name=submit]', 'e1'],
  ])('%s means %s', (target, ref) => expect(findClosestElements(target, tree)[0]?.ref).toBe(ref))
  test('without any likeness the first usable ones are named; never what cannot be used', () => {
    expect(findClosestElements('#zzz', tree).map(({ ref }) => ref)).toEqual(['e1', 'e2', 'e4'])
  })
})

describe('terminal codes', () => {
  const rows: [line: string, plain: string][] = [
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b]0;no end', '0;no end'],
    ['\u001b]0;no end \u001b[31mred\u001b[0m', '0;no end red'],
    ['\u001bPdevice\u001b\\text', 'text'],
    ['\u001b(Btext\u001b7\u001b=', 'text'],
    ['\u001b[38;5;1', ''],
    ['\u001b[', ''],
    ['\u001b', ''],
    ['a\u001b[\u00e9', 'a\u00e9'],
    ['a\rb', 'ab'],
  ]
  test.each(rows)('%j', (line, plain) => expect(stripTerminalCodes(line)).toBe(plain))
})
