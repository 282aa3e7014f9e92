import { afterAll, describe, expect, test } from 'bun:test'
import {
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { ok } from '../../../../src/core/base/result.ts'
import {
  createLogFollower,
  readLogs,
  resolveLogPaths,
  tailFile,
} from '../../../../src/core/devserver/logs/log-files.ts'
import { createLogFolder } from '../../../../src/core/devserver/logs/log-folder.ts'
import { createLogWriter } from '../../../../src/core/devserver/logs/log-writer.ts'
import { createChildEnvironment } from '../../../../src/core/devserver/process/start-context.ts'
const folder = mkdtempSync(join(tmpdir(), 'fl-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'one.log')
const accepting = (isAccepted: (line: string) => boolean) => async (lines: readonly string[]) =>
  ok(lines.map(isAccepted))
const tail = async (isAccepted: (line: string) => boolean, count: number, to?: number) => {
  const result = await tailFile(path, count, accepting(isAccepted), to === undefined ? {} : { to })
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
const any = () => true

test('the tail of a file is its last lines, and its cursor leads back to the first without a gap', async () => {
  const line = fc.string({ maxLength: 30, unit: fc.constantFrom('a', 'ä', ' ', '😀') })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (lines, count, ended) => {
        const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')
        writeFileSync(path, text)
        const expected = text === '' ? [] : text.replace(/\n$/, '').split('\n')
        const seen: string[] = []
        for (let end: number | undefined = Number.MAX_SAFE_INTEGER; end !== undefined;) {
          const part: Awaited<ReturnType<typeof tail>> = await tail(any, count, end)
          expect(part.lines.length).toBeLessThanOrEqual(count)
          seen.unshift(...part.lines)
          end = part.hasMore ? part.offset : undefined
        }
        expect(seen).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})

test('a large file is read from its end only, whatever is asked', async () => {
  writeFileSync(path, '')
  truncateSync(path, 5 * 1024 ** 3)
  writeFileSync(path, '\nfirst\nsecond\n', { flag: 'a' })
  expect((await tail(any, 2)).lines).toEqual(['first', 'second'])
  const filtered = await tail((line) => line === 'never', 10)
  expect(filtered.lines).toEqual([])
  expect(filtered.hasMore).toBe(true)
})

describe('the writer', () => {
  test('stdout and stderr as they came, combined with times, whole lines reported, modes 600', async () => {
    const told: string[] = []
    const writer = createLogWriter(createLogFolder(folder), (stream, text) => told.push(`${stream} ${text}`))
    const bytes = Buffer.from('grüße\nsecond')
    writer.write('stdout', bytes.subarray(0, 3))
    writer.write('stdout', bytes.subarray(3))
    writer.write('stderr', Buffer.from('bad\n'))
    writer.close()
    expect(told).toEqual(['stdout grüße', 'stderr bad', 'stdout second'])
    expect(readFileSync(writer.paths.stdout, 'utf8')).toBe('grüße\nsecond')
    const combined = readFileSync(writer.paths.combined, 'utf8').trim().split('\n')
    for (const line of combined) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z std(out|err) /)
    const paths = resolveLogPaths(writer.paths)
    const search = async (lines: readonly string[]) =>
      ok(new Set(lines.filter((line) => line.includes('bad'))))
    expect(await readLogs(paths, { type: 'combined', lines: 10 }, undefined, search)).toMatchObject({
      value: { lines: [expect.stringContaining('stderr bad')] },
    })
    expect(await readLogs(paths, { type: 'combined', lines: 10, since: Date.now() + 60_000 })).toMatchObject({
      value: { lines: [] },
    })
    expect(await readLogs(paths, { type: 'combined', lines: 10, since: Date.now() - 60_000 })).toMatchObject({
      value: { lines: { length: 3 } },
    })
  })
  test('a line that is drawn over is its last state, and a long one is cut in the middle and found by its end', async () => {
    const told: string[] = []
    const writer = createLogWriter(createLogFolder(folder), (_, text) => told.push(text))
    writer.write('stdout', Buffer.from('\rProgress 5%\rProgress 10%\r\u001b[KProgress done\r\n'))
    for (let i = 0; i < 3; i += 1) writer.write('stdout', Buffer.alloc(100_000, 'x'))
    writer.write('stdout', Buffer.from(' the end\nnext\n'))
    writer.close()
    expect([told[0], told.at(-1)]).toEqual(['\u001b[KProgress done', 'next'])
    const search = async (lines: readonly string[]) =>
      ok(new Set(lines.filter((line) => line.endsWith(' the end'))))
    for (const type of ['combined', 'stdout'] as const) {
      const read = await readLogs(resolveLogPaths(writer.paths), { type, lines: 10 }, undefined, search)
      const [line = ''] = read.ok ? read.value.lines : []
      expect(line).toMatch(/xx … xx+ the end$/)
      expect(line.length).toBeLessThan(17_000)
    }
  })
  test('a line that never ends is reported in parts and does not grow', () => {
    const told: number[] = []
    const writer = createLogWriter(createLogFolder(folder), (_, text) => told.push(text.length))
    for (let i = 0; i < 100; i += 1) writer.write('stdout', Buffer.alloc(10_000, 120))
    writer.close()
    expect(Math.max(...told)).toBeLessThanOrEqual(16_000)
    expect(told.length).toBeGreaterThan(40)
  })
})

test('a log that leads elsewhere than at the start is not followed; back in its place it is', async () => {
  const place = mkdtempSync(join(folder, 'follow-'))
  const at = (name: string) => join(place, name)
  for (const name of ['stdout', 'stderr', 'combined', 'secret']) writeFileSync(at(name), '')
  const told: string[] = []
  const paths = resolveLogPaths({ stdout: at('stdout'), stderr: at('stderr'), combined: at('combined') })
  const reportLines = createLogFollower(paths, (stream, text) => told.push(`${stream} ${text}`))
  renameSync(at('stdout'), at('moved'))
  symlinkSync(at('secret'), at('stdout'))
  writeFileSync(at('secret'), 'token\n')
  writeFileSync(at('stderr'), 'bad\n')
  reportLines()
  expect(told).toEqual(['stderr bad'])
  await expect(tailFile(at('stdout'), 1, accepting(any))).rejects.toThrow()
  rmSync(at('stdout'))
  writeFileSync(at('moved'), 'ready\n')
  renameSync(at('moved'), at('stdout'))
  reportLines()
  expect(told).toEqual(['stderr bad', 'stdout ready'])
})

test("a child sees neither our settings nor Bun's switches, and our folder is not its own", () => {
  const env = createChildEnvironment(
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
