// Following a log by the position that each answer carries: no line is missed and none comes twice, of several servers at once and over
// their restarts.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { readLogs, resolveLogPaths } from '../../../../src/core/devserver/logs/log-files.ts'
import { createLogFolder } from '../../../../src/core/devserver/logs/log-folder.ts'
import { createLogWriter } from '../../../../src/core/devserver/logs/log-writer.ts'
import { watchLogRotations } from '../../../../src/core/devserver/start/contract-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-position-'))
afterAll(() => rmSync(folder, { recursive: true }))

const type = fc.constantFrom('stdout' as const, 'stderr' as const, 'combined' as const)
const stream = fc.constantFrom('stdout' as const, 'stderr' as const)
const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'ä', '😀', '\n') })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ write: text, stream }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((lines) => ({ poll: lines })) },
  { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type LogType = 'stdout' | 'stderr' | 'combined'

/** A server whose log is followed; in `written` are the lines that the log should give, in `seen` those that it gave. */
function followed(log: LogType, name: string) {
  const logs = createLogFolder(folder)
  const open = () => createLogWriter(logs, () => {})
  let writer = open()
  let seq = 0
  const [written, seen]: [string[], string[]] = [[], []]
  const rests = { stdout: '', stderr: '' }
  const isIn = (from: 'stdout' | 'stderr') => log === 'combined' || log === from
  const poll = async (lines: number) => {
    const paths = resolveLogPaths(writer.paths)
    const got: string[] = []
    let next: number | undefined
    for (let cursor: number | undefined; ;) {
      const query = { type: log, lines, after: seq, ...(cursor !== undefined && { cursor }) }
      const read = await readLogs(paths, query, logs.starts)
      if (!read.ok) throw new Error(read.error.code)
      expect(read.value.lines.length).toBeLessThanOrEqual(lines)
      next ??= read.value.seq
      got.unshift(...read.value.lines)
      cursor = read.value.cursor
      if (cursor === undefined) break
    }
    expect(next).toBeGreaterThanOrEqual(seq)
    seq = next ?? seq
    seen.push(...got.map((line) => line.replace(/^\S+Z std(out|err) /, '')))
  }
  const restart = () => {
    // A line that the server did not end, ends with it.
    for (const from of ['stdout', 'stderr'] as const) {
      if (rests[from] && isIn(from)) written.push(rests[from])
      rests[from] = ''
    }
    writer.close()
    writer = open()
  }
  return {
    written,
    seen,
    async take(one: Step) {
      if ('poll' in one) return poll(one.poll)
      if ('restart' in one) return restart()
      // Every line says whose it is.
      const own = one.write.replaceAll('\n', `${name}\n`)
      writer.write(one.stream, Buffer.from(own))
      const lines = (rests[one.stream] + own).split('\n')
      rests[one.stream] = lines.pop() ?? ''
      if (isIn(one.stream)) written.push(...lines)
    },
    async end() {
      restart()
      await poll(5)
      writer.close()
    },
  }
}

test('polls with the last seq, paged back by cursor, give every line once; of two servers, over their restarts', async () => {
  const steps = fc.array(fc.tuple(fc.nat(1), step), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(type, type, steps, async (first, second, steps) => {
      const servers = [followed(first, '-one'), followed(second, '-two')] as const
      for (const [whose, one] of steps) await servers[whose === 0 ? 0 : 1].take(one)
      for (const server of servers) {
        await server.end()
        expect(server.seen).toEqual(server.written)
      }
    }),
    { numRuns: 200 },
  )
})

test('a log that its server writes anew goes on: emptied, replaced, or gone for a while', async () => {
  const path = (name: string) => join(folder, `own-${name}.log`)
  const paths = { stdout: path('stdout'), stderr: path('stderr'), combined: path('combined') }
  for (const one of Object.values(paths)) writeFileSync(one, '')
  const renewals = watchLogRotations(paths)
  let seq = 0
  const poll = async () => {
    renewals.check()
    const read = await readLogs(paths, { type: 'combined', lines: 100, after: seq }, renewals.starts())
    if (!read.ok) throw new Error(read.error.code)
    seq = read.value.seq
    return read.value.lines
  }
  writeFileSync(paths.combined, 'one\ntwo\n')
  expect(await poll()).toEqual(['one', 'two'])
  // Longer than before, once it is looked at again.
  truncateSync(paths.combined)
  renewals.check()
  writeFileSync(paths.combined, 'three\nfour\nfive\n')
  expect(await poll()).toEqual(['three', 'four', 'five'])
  expect(await poll()).toEqual([])
  writeFileSync(path('next'), 'a line that is longer than all that was there\n')
  renameSync(path('next'), paths.combined)
  expect(await poll()).toEqual(['a line that is longer than all that was there'])
  renameSync(paths.combined, path('away'))
  renewals.check()
  writeFileSync(paths.combined, 'back\n')
  expect(await poll()).toEqual(['back'])
  expect(await poll()).toEqual([])
})

test('a file that was written anew is read from its beginning', async () => {
  const writer = createLogWriter(createLogFolder(folder), () => {})
  writer.write('stdout', Buffer.from('new\n'))
  const read = await readLogs(resolveLogPaths(writer.paths), { type: 'stdout', lines: 10, after: 5000 })
  expect(read).toEqual({ ok: true, value: { lines: ['new'], seq: 4 } })
  writer.close()
})
