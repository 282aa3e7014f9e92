// Following a log by the position that each answer carries: no line is missed and none comes twice.

import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLogs, rememberLogs } from '../../src/devserver/files.ts'
import { createLogFolder, createLogWriter } from '../../src/devserver/logs.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-position-'))
afterAll(() => rmSync(folder, { recursive: true }))

const type = fc.constantFrom('stdout' as const, 'combined' as const)
const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'ä', '😀', '\n') })
const step = fc.oneof(
  { weight: 5, arbitrary: text.map((one) => ({ write: one })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((lines) => ({ poll: lines })) },
  { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
)

test('polls with the last seq, paged back by cursor, give every line once; also over a restart', () => {
  fc.assert(
    fc.property(type, fc.array(step, { maxLength: 40 }), (log, steps) => {
      const logs = createLogFolder(folder)
      const open = () => createLogWriter(logs, () => {})
      let writer = open()
      let seq = 0
      const [written, seen]: [string[], string[]] = [[], []]
      let rest = ''
      const poll = (lines: number) => {
        const paths = rememberLogs(writer.paths)
        const got: string[] = []
        let next: number | undefined
        for (let cursor: number | undefined; ;) {
          const query = { type: log, lines, after: seq, ...(cursor !== undefined && { cursor }) }
          const read = readLogs(paths, query, logs.starts)
          if (!read.ok) throw new Error(read.error.code)
          expect(read.value.lines.length).toBeLessThanOrEqual(lines)
          next ??= read.value.seq
          got.unshift(...read.value.lines)
          cursor = read.value.cursor
          if (cursor === undefined) break
        }
        expect(next).toBeGreaterThanOrEqual(seq)
        seq = next ?? seq
        seen.push(...got.map((line) => line.replace(/^\S+Z stdout /, '')))
      }
      for (const one of steps) {
        if ('write' in one) {
          writer.write('stdout', Buffer.from(one.write))
          const lines = (rest + one.write).split('\n')
          rest = lines.pop() ?? ''
          written.push(...lines)
        } else if ('poll' in one) poll(one.poll)
        else {
          // A line that the server did not end, ends with it.
          if (rest) written.push(rest)
          rest = ''
          writer.close()
          writer = open()
        }
      }
      poll(5)
      writer.close()
      expect(seen).toEqual(written)
    }),
    { numRuns: 200 },
  )
})

test('a file that was written anew is read from its beginning', () => {
  const writer = createLogWriter(createLogFolder(folder), () => {})
  writer.write('stdout', Buffer.from('new\n'))
  const read = readLogs(rememberLogs(writer.paths), { type: 'stdout', lines: 10, after: 5000 })
  expect(read).toEqual({ ok: true, value: { lines: ['new'], seq: 4 } })
  writer.close()
})
