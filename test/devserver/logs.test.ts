import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../../src/devserver/environment.ts'
import { readLogs, rememberLogs } from '../../src/devserver/files.ts'
import { createLogWriter, tailFile } from '../../src/devserver/logs.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'one.log')
const any = () => true

test('the tail of a file is its last lines, and its cursor leads back to the first without a gap', () => {
  const line = fc.string({ maxLength: 30, unit: fc.constantFrom('a', 'ä', ' ', '😀') })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (lines, count, ended) => {
        const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')
        writeFileSync(path, text)
        const expected = text === '' ? [] : text.replace(/\n$/, '').split('\n')
        const seen: string[] = []
        for (let end: number | undefined = Number.MAX_SAFE_INTEGER; end !== undefined;) {
          const tail: ReturnType<typeof tailFile> = tailFile(path, count, any, end)
          expect(tail.lines.length).toBeLessThanOrEqual(count)
          seen.unshift(...tail.lines)
          end = tail.more ? tail.offset : undefined
        }
        expect(seen).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})

test('a large file is read from its end only, whatever is asked', () => {
  writeFileSync(path, '')
  truncateSync(path, 5 * 1024 ** 3)
  writeFileSync(path, '\nfirst\nsecond\n', { flag: 'a' })
  expect(tailFile(path, 2, any).lines).toEqual(['first', 'second'])
  const filtered = tailFile(path, 10, (line) => line === 'never')
  expect(filtered.lines).toEqual([])
  expect(filtered.more).toBe(true)
})

describe('the writer', () => {
  test('stdout and stderr as they came, combined with times, whole lines told, modes 600', () => {
    const told: string[] = []
    const writer = createLogWriter(mkdtempSync(join(folder, 'w-')), (stream, text) =>
      told.push(`${stream} ${text}`),
    )
    const bytes = Buffer.from('grüße\nsecond')
    writer.write('stdout', bytes.subarray(0, 3))
    writer.write('stdout', bytes.subarray(3))
    writer.write('stderr', Buffer.from('bad\n'))
    writer.close()
    expect(told).toEqual(['stdout grüße', 'stderr bad', 'stdout second'])
    expect(readFileSync(writer.paths.stdout, 'utf8')).toBe('grüße\nsecond')
    const combined = readFileSync(writer.paths.combined, 'utf8').trim().split('\n')
    for (const line of combined) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z std(out|err) /)
    const paths = rememberLogs(writer.paths)
    expect(readLogs(paths, { type: 'combined', lines: 10, pattern: /bad/ })).toMatchObject({
      value: { lines: [expect.stringContaining('stderr bad')] },
    })
    expect(readLogs(paths, { type: 'combined', lines: 10, since: Date.now() + 60_000 })).toMatchObject({
      value: { lines: [] },
    })
    expect(readLogs(paths, { type: 'combined', lines: 10, since: Date.now() - 60_000 })).toMatchObject({
      value: { lines: { length: 3 } },
    })
  })
  test('a line that never ends is told in parts and does not grow', () => {
    const told: number[] = []
    const writer = createLogWriter(mkdtempSync(join(folder, 'w-')), (_, text) => told.push(text.length))
    for (let i = 0; i < 100; i += 1) writer.write('stdout', Buffer.alloc(10_000, 120))
    writer.close()
    expect(Math.max(...told)).toBeLessThanOrEqual(16_000)
    expect(told.length).toBeGreaterThan(40)
  })
})

test("a child sees neither our settings nor Bun's switches, and our folder is not its own", () => {
  const env = childEnvironment(
    { run: 'r', tag: 't' },
    { PORT: '1' },
    { FOOTLIGHT_TOKEN: 'x', BUN_OPTIONS: '--x', HOME: '/h' },
  )
  expect(env).toMatchObject({
    HOME: '/h',
    PORT: '1',
    FOOTLIGHT_RUN: 'r',
    FOOTLIGHT_SERVER: 't',
  })
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['FOOTLIGHT_TOKEN']))
  expect([env['BUN_OPTIONS'], env['TMPDIR']]).toEqual([undefined, undefined])
})
