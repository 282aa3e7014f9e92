// How much memory there is, how much is in use, and when that refuses a session.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Settings } from '../../../src/core/cli/options/options.ts'
import { memoryLimitOf } from '../../../src/core/cli/serve/create-services.ts'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { checkMemory, createMemoryWatch, readMachineMemory } from '../../../src/core/sessions/memory-limit.ts'
import { createSessionsState, type Session } from '../../../src/core/sessions/store/session.ts'
import type { MemoryWatch } from '../../../src/core/sessions/types/owned-session.ts'

const GB = 1024 ** 3
const folder = mkdtempSync(join(tmpdir(), 'fl-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('what there is', () => {
  const unlimited = '9223372036854771712\n'
  const rows: [what: string, files: Record<string, string>, expected: number][] = [
    ['no control groups', {}, 16 * GB],
    [
      'version 2, no limit',
      { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/memory.max': 'max\n' },
      16 * GB,
    ],
    [
      'version 2',
      { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/memory.max': `${2 * GB}\n` },
      2 * GB,
    ],
    [
      'version 2, a limit of the group above',
      {
        '/proc/self/cgroup': '0::/a/b\n',
        '/sys/fs/cgroup/a/b/memory.max': 'max\n',
        '/sys/fs/cgroup/a/memory.max': `${GB}\n`,
      },
      GB,
    ],
    [
      'a container that is the root',
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${GB}\n` },
      GB,
    ],
    [
      'version 1',
      {
        '/proc/self/cgroup': '5:cpu:/x\n4:hugetlb,memory:/x/y\n1:name=systemd:/\n0::/\n',
        '/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes': `${3 * GB}\n`,
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': unlimited,
      },
      3 * GB,
    ],
    [
      'version 1 in a container, which does not see the path it is given',
      {
        '/proc/self/cgroup': '4:memory:/docker/1234\n',
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GB}\n`,
      },
      GB,
    ],
    [
      'version 1, no limit',
      {
        '/proc/self/cgroup': '4:memory:/\n',
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': unlimited,
      },
      16 * GB,
    ],
    [
      'a group larger than the machine',
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${99 * GB}` },
      16 * GB,
    ],
  ]
  test.each(rows)('%s', (what, files, expected) => {
    const root = join(folder, what)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    expect(readMachineMemory(16 * GB, root)).toBe(expected)
  })

  test('the limit is a quarter of it, unless it is set', () => {
    const settings = (memoryLimit?: number) => ({ memoryLimit }) as unknown as Settings
    const { memoryLimit = 0, memoryTotal = 0 } = memoryLimitOf(settings())
    expect(memoryTotal).toBe(Math.round(readMachineMemory() / 1e6))
    expect(memoryLimit).toBe(Math.round(memoryTotal / 4))
    expect(memoryLimitOf(settings(700))).toEqual({ memoryLimit: 700 })
    expect(memoryLimitOf(settings(0))).toEqual({ memoryLimit: 0 })
  })
})

describe('whether there is enough for one more session', () => {
  const createWatch = (last: number, now: number): MemoryWatch => ({
    lastBytes: () => last * 1e6,
    measure: async () => now * 1e6,
  })
  const sessions = (...statuses: Session['status'][]) => ({
    ...createSessionsState(10, 0),
    byId: new Map(statuses.map((status, index) => [String(index), { status } as Session])),
  })
  const limits = { memoryLimit: 1000, memoryTotal: 4000 }

  test('an old look refuses nobody, a new one does', async () => {
    expect(await checkMemory(limits, sessions('open'), createWatch(5000, 900))).toBeUndefined()
    expect(await checkMemory(limits, sessions('open'), createWatch(5000, 1200))).toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      resource: 'memory',
    })
  })
  test('where the last look is well below the limit nothing is waited for', () => {
    expect(checkMemory(limits, sessions('open'), createWatch(900, 5000))).toBeUndefined()
  })
  test('where no session is open there is none to close, so one is opened', async () => {
    expect(await checkMemory(limits, sessions(), createWatch(5000, 5000))).toBeUndefined()
    expect(await checkMemory(limits, sessions('closing'), createWatch(5000, 5000))).toBeUndefined()
    expect(await checkMemory(limits, sessions('closing', 'opening'), createWatch(5000, 5000))).toBeDefined()
  })
  test('0 is no limit', () => {
    expect(checkMemory({ memoryLimit: 0 }, sessions('open'), createWatch(5000, 5000))).toBeUndefined()
  })
  test('the refusal says how much is in use, how much may be, why, and what to do', async () => {
    const messageOf = async (limitOptions: Parameters<typeof checkMemory>[0]) => {
      const failure = await checkMemory(limitOptions, sessions('open'), createWatch(5000, 1200))
      return failure ? failureRecordOf(failure, 1).message : ''
    }
    expect(await messageOf(limits)).toMatch(
      /1200 MB.*1000 MB \(a quarter of 4000 MB.*close_session.*--memory-limit/,
    )
    expect(await messageOf({ memoryLimit: 500 })).toMatch(/1200 MB.*500 MB \(--memory-limit\)/)
  })
  test('looks that are asked for at once are one; a failed one keeps the last', async () => {
    const answers = [Promise.resolve(7), Promise.reject(new Error('no'))]
    let measurements = 0
    const memory = createMemoryWatch(() => answers[measurements++] ?? Promise.resolve(0))
    expect(await Promise.all([memory.measure(), memory.measure(), memory.measure()])).toEqual([7, 7, 7])
    expect([measurements, memory.lastBytes()]).toEqual([1, 7])
    expect([await memory.measure(), measurements]).toEqual([7, 2])
  })
})
