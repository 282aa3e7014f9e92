// What a map may unfold to: about as much as an ordinary one of a large bundle, in time and in memory.

import { describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { measureMap } from '../../../src/features/sources/measure-map.ts'
import { sourceMap } from '../../../src/features/sources/parse-map.ts'
import { floods, ordinary, ORDINARY_LINES, readMap, textOf } from '../../fixtures/map-floods.ts'
import { valueOf } from '../../support/session-page.ts'

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    Bun.gc(true)
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

const section = (line: number, mappings: string, sources: readonly string[]) => ({
  offset: { line, column: 0 },
  map: { version: 3, sources, names: [], mappings },
})
const errorOf = (value: object, lineCount = Infinity) => {
  const measured = measureMap(JSON.stringify(value), lineCount)
  return measured.ok ? measured.value.size : measured.error
}

test('an ordinary map of a bundle of 50,000 functions is read', async () => {
  const positions = [
    { line: 1, column: 10 },
    { line: ORDINARY_LINES - 1, column: 3 },
  ]
  const document = valueOf(await sourceMap.open({ json: ordinary(), lineCount: ORDINARY_LINES }))
  expect(await document({ positions })).toEqual([
    { source: 'src/file-0.js', line: 1, column: 10 },
    { source: 'src/file-499.js', line: 299, column: 2003 },
  ])
  expect(await document({ contentOf: 'src/file-3.js' })).toStartWith('export function name_3_0')
})

test('sections are counted as far as the next one begins, and the last one says how many lines there are', () => {
  const overlapping = [section(0, ';;;;;;;;;', ['a.js']), section(3, 'AAAA;AACA', ['b.js'])]
  expect(errorOf({ version: 3, sections: overlapping }, 5)).toBeNumber()
  expect(errorOf({ version: 3, sections: overlapping }, 4)).toBe('unusable')
  const inner = { offset: { line: 2, column: 0 }, map: { version: 3, sections: overlapping } }
  expect(errorOf({ version: 3, sections: [inner] }, 7)).toBeNumber()
  expect(errorOf({ version: 3, sections: [inner] }, 6)).toBe('unusable')
})

test.each([
  ['lines', section(499_999, 'A;', []), '500,001 lines'],
  ['mappings', section(0, 'A,'.repeat(1_000_001), []), '1,000,002 mappings'],
  [
    'sources',
    section(
      0,
      '',
      Array.from({ length: 50_001 }, () => ''),
    ),
    '50,001 sources',
  ],
])('what is too large is said with its figure: %s', (_, one, tooLarge) => {
  expect(errorOf({ version: 3, sections: [one] })).toEqual({ tooLarge })
})

test('a place that no source can have is none', async () => {
  const json = JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AADA,CEAA,CFCA' })
  const document = valueOf(await sourceMap.open({ json, lineCount: 1 }))
  const positions = [1, 2, 3].map((column) => ({ line: 1, column }))
  expect(await document({ positions })).toEqual([
    undefined,
    undefined,
    { source: 'a.js', line: 1, column: 1 },
  ])
})

describe('what unfolds', () => {
  test('takes at most twice as much of the processor as an ordinary map', async () => {
    const json = ordinary()
    const limit = await processorTime(() => readMap(json, ORDINARY_LINES))
    const slow: string[] = []
    for (const [name, make] of Object.entries(floods)) {
      const text = textOf(make)
      const time = await processorTime(() => readMap(text, Infinity))
      if (time > 2 * limit) slow.push(`${name}: ${time} of ${limit} ms`)
    }
    expect(slow).toEqual([])
  }, 300_000)

  test('takes less than 300 MB', () => {
    const fixture = join(import.meta.dir, '../../fixtures/map-floods.ts')
    const grownMb = Number(execFileSync(process.execPath, ['run', fixture], { encoding: 'utf8' }))
    expect(grownMb).toBeLessThan(300)
  }, 300_000)
})
