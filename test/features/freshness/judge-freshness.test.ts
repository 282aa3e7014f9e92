import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { NetworkRequest } from '../../../src/core/sessions/journal/network-log.ts'
import type { FileChange } from '../../../src/core/sessions/types/freshness.ts'
import { readBuildState } from '../../../src/features/freshness/build-lines.ts'
import { freshnessLineOf, freshnessNoteOf } from '../../../src/features/freshness/describe-freshness.ts'
import { type FreshnessFacts, judgeFreshness } from '../../../src/features/freshness/judge-freshness.ts'
import { pageContentOf, type PageFile } from '../../../src/features/freshness/page-files.ts'

const ORIGIN = 'http://localhost:5173'
const FOLDERS = { folder: '/home/ada/app', pageFolder: '' }
const START = 1_790_000_000_000

let seq = 0
const load = (path: string, type: string, at: number): NetworkRequest => ({
  seq: (seq += 1),
  at: START + at,
  method: 'GET',
  url: ORIGIN + path,
  type,
  state: 'done',
  duration: 5,
  ...(type === 'document' && { isPageLoad: true }),
})

interface Situation {
  readonly loads: readonly NetworkRequest[]
  readonly changes: Readonly<Record<string, number>>
  readonly now: number
  readonly lines?: readonly (readonly [number, string])[]
  readonly server?: Partial<FreshnessFacts['server']>
  readonly same?: FileChange['same']
  readonly earlierHashes?: FileChange['earlierHashes']
  /** What the page received, by the first path of the file. */
  readonly received?: Readonly<Record<string, PageFile['received']>>
}

function judge({ loads, changes, now, lines = [], server, same, earlierHashes, received = {} }: Situation) {
  const rest = { ...(same && { same }), ...(earlierHashes && { earlierHashes }) }
  const modifications = new Map(
    Object.entries(changes).map(([path, at]) => [path, { at: START + at, ...rest }]),
  )
  const content = pageContentOf(loads, [], ORIGIN, FOLDERS)
  const files = content.files.map((file) => {
    const [comparison] = file.paths.flatMap((path) => received[path] ?? [])
    return { ...file, ...(comparison && { received: comparison }) }
  })
  const entries = lines.map(([at, text], index) => ({
    seq: index + 1,
    at: START + at,
    kind: 'server' as const,
    level: 'info' as const,
    text,
  }))
  return judgeFreshness({
    now: START + now,
    content: { ...content, files },
    changes: modifications,
    isComplete: true,
    server: { pageFolder: '', startedAt: START, watchesFiles: true, programs: [], ...server },
    build: readBuildState(entries, Math.max(0, ...modifications.values().map(({ at }) => at))),
  })
}

const vite = [
  load('/', 'document', 1000),
  load('/@vite/client', 'script', 1010),
  load('/src/main.tsx', 'script', 1020),
  load('/src/app.tsx', 'script', 1030),
]
const sources = { 'index.html': -9000, 'src/main.tsx': -9000, 'src/app.tsx': -9000 }

describe('a page of modules', () => {
  test('is fresh after its load', () => {
    expect(judge({ loads: vite, changes: sources, now: 5000 })).toEqual({ state: 'fresh' })
  })
  test('is stale after a change, until the module is loaded with a version of that time', () => {
    const changes = { ...sources, 'src/app.tsx': 8000 }
    expect(judge({ loads: vite, changes, now: 8200 })).toEqual({
      state: 'stale',
      file: 'src/app.tsx',
      ageMs: 200,
    })
    const update = load(`/src/app.tsx?t=${START + 8040}`, 'script', 8050)
    expect(judge({ loads: [...vite, update], changes, now: 8400 })).toEqual({ state: 'fresh' })
    expect(judge({ loads: [...vite, update], changes, now: 8200 })).toMatchObject({ state: 'pending' })
    const invalidated = load(`/src/app.tsx?t=${START + 7995}`, 'script', 8050)
    expect(judge({ loads: [...vite, invalidated], changes, now: 8400 })).toEqual({ state: 'fresh' })
    const early = load(`/src/app.tsx?t=${START + 7900}`, 'script', 8050)
    expect(judge({ loads: [...vite, early], changes, now: 8400 })).toMatchObject({ state: 'pending' })
    const { duration: _, ...unfinished } = update
    expect(judge({ loads: [...vite, unfinished], changes, now: 9000 })).toMatchObject({ state: 'pending' })
  })
  test('may be stale if the module was loaded at once after the change, from the cache of the server', () => {
    const changes = { ...sources, 'src/app.tsx': 1025 }
    expect(judge({ loads: vite, changes, now: 1100 })).toMatchObject({
      state: 'pending',
      file: 'src/app.tsx',
    })
  })
  test('may be stale for five seconds, in which a busy server may not have noticed the change', () => {
    const changes = { ...sources, 'src/app.tsx': 8000 }
    const reloaded = (at: number) => [
      ...vite,
      load('/', 'document', at),
      load('/@vite/client', 'script', at),
      load('/src/app.tsx', 'script', at),
    ]
    expect(judge({ loads: reloaded(12_900), changes, now: 14_000 })).toMatchObject({ state: 'pending' })
    expect(judge({ loads: reloaded(13_100), changes, now: 14_000 })).toEqual({ state: 'fresh' })
    // By then it would have sent an update.
    expect(judge({ loads: reloaded(12_900), changes, now: 18_000 })).toEqual({ state: 'fresh' })
  })
  test('is fresh whatever happens to a file that it does not use', () => {
    const changes = { ...sources, 'src/other.tsx': 8000 }
    expect(judge({ loads: vite, changes, now: 8200 })).toEqual({ state: 'fresh' })
  })
  test('reads files below the folder, and others by their way from it', () => {
    const { files } = pageContentOf(
      [
        load('/', 'document', 0),
        load('/@fs/home/ada/app/lib/a.ts', 'script', 1),
        load('/@fs/etc/b.ts', 'script', 2),
        load('/@fs/home/ada/application/c.ts', 'script', 3),
        load('/node_modules/.vite/deps/react.js', 'script', 4),
      ],
      [],
      ORIGIN,
      FOLDERS,
    )
    expect(files.flatMap(({ paths }) => paths.slice(0, 1))).toEqual([
      'index.html',
      'lib/a.ts',
      '../../../etc/b.ts',
      '../application/c.ts',
    ])
  })
})

describe('a page of bundles', () => {
  const bundle = [load('/', 'document', 1000), load('/main.js', 'script', 1010)]
  const changes = { 'src/app.ts': 8000 }
  const lines = [[500, 'webpack 5.1 compiled successfully in 400 ms']] as const
  test('may be stale until the build is complete and loaded', () => {
    const update = load('/main.1.hot-update.js', 'script', 9100)
    const complete = [...lines, [9050, 'webpack 5.1 compiled successfully in 90 ms']] as const
    const pending = { state: 'pending', file: 'src/app.ts' }
    expect(judge({ loads: bundle, changes, now: 8100, lines })).toMatchObject(pending)
    expect(judge({ loads: [...bundle, update], changes, now: 20_000, lines })).toMatchObject(pending)
    expect(judge({ loads: bundle, changes, now: 20_000, lines: complete })).toMatchObject(pending)
    expect(judge({ loads: [...bundle, update], changes, now: 9200, lines: complete })).toMatchObject(pending)
    expect(judge({ loads: [...bundle, update], changes, now: 10_200, lines: complete })).toEqual({
      state: 'fresh',
    })
  })
  test('is stale while the build fails, with the line that says why', () => {
    const failure = [...lines, [8500, 'ERROR in ./src/app.ts 3:4']] as const
    const judgement = judge({ loads: bundle, changes, now: 9000, lines: failure })
    expect(freshnessLineOf(judgement)).toBe(
      'Stale page: src/app.ts changed 1.0 s ago, and the dev server reports: ERROR in ./src/app.ts 3:4',
    )
    const fixed = [...failure, [9500, 'webpack 5.1 compiled successfully in 90 ms']] as const
    expect(judge({ loads: bundle, changes, now: 9600, lines: fixed }).state).not.toBe('failed')
  })
  test('waits for a build that is running, however long', () => {
    const running = [...lines, [8100, 'Changes detected. Rebuilding...']] as const
    expect(judge({ loads: bundle, changes, now: 200_000, lines: running })).toMatchObject({
      state: 'pending',
    })
    expect(judge({ loads: bundle, changes, now: 200_000, lines }).state).toBe('unknown')
    const update = load('/main.2.hot-update.js', 'script', 9100)
    const again = [
      ...running,
      [9050, 'webpack 5.1 compiled successfully in 90 ms'],
      [9150, 'Rebuilding...'],
    ] as const
    expect(judge({ loads: [...bundle, update], changes, now: 20_000, lines: again })).toMatchObject({
      state: 'pending',
    })
  })
})

describe('what a program of the server has read at its start', () => {
  const loads = [load('/', 'document', 1000), load('/', 'document', 8000)]
  const program = (startedAt: number, isUp = true) => ({
    ...{ startedAt: START + startedAt, files: new Set(['server.js', 'title.js']), isUp },
  })
  const stateOf = (watchesFiles: boolean | undefined, startedAt: number, isUp?: boolean) =>
    judge({
      loads,
      changes: { 'title.js': 5000 },
      now: 9000,
      server: { watchesFiles, programs: [program(startedAt, isUp)] },
    })
  test('is unknown on a page that was loaded while the program did not answer yet', () => {
    const failed = { ...load('/api/notes', 'fetch', 8100), status: 500 }
    const server = { watchesFiles: true, programs: [program(6000)] }
    expect(judge({ loads: [...loads, failed], changes: { 'title.js': 5000 }, now: 9000, server }).state).toBe(
      'unknown',
    )
  })
  test('needs a restart after a change, if nothing watches files', () => {
    expect(stateOf(false, 0)).toEqual({ state: 'restart', file: 'title.js', ageMs: 4000 })
    expect(freshnessLineOf(stateOf(false, 0))).toContain('restart_server')
  })
  test('is waited for if something watches files, or may look at them, until it has started again and is up', () => {
    for (const watches of [true, undefined]) {
      expect(stateOf(watches, 0)).toMatchObject({ state: 'pending' })
      expect(stateOf(watches, 6000, false)).toMatchObject({ state: 'pending' })
      expect(stateOf(watches, 6000)).toEqual({ state: 'fresh' })
    }
  })
})

test('where nothing tells it nothing is said, but to those who wait', () => {
  const loads = [load('/', 'document', 8000)]
  for (const [file, watchesFiles] of [
    ['app.py', false],
    ['app.py', undefined],
    ['api/server.mjs', true],
  ] as const) {
    const judgement = judge({ loads, changes: { [file]: 5000 }, now: 9000, server: { watchesFiles } })
    expect(judgement).toEqual({ state: 'unknown', file, ageMs: 4000 })
    expect([freshnessLineOf(judgement), freshnessNoteOf(judgement)]).toEqual([
      undefined,
      expect.stringContaining(`cannot be told whether the page shows ${file}`),
    ])
    expect(judge({ loads, changes: { [file]: -1 }, now: 9000, server: { watchesFiles } }).state).toBe('fresh')
  }
})

describe('what the page received', () => {
  const loads = [load('/', 'document', 4000), load('/app.js', 'script', 4010)]
  const changed = (
    received: PageFile['received'],
    server?: Situation['server'],
    changes: Situation['changes'] = { 'index.html': -9000, 'app.js': 3000 },
    path = 'app.js',
  ) =>
    judge({
      loads,
      changes,
      now: 5000,
      server: { watchesFiles: false, ...server },
      received: { [path]: received },
    })

  test('is proof of a server that keeps what it read', () => {
    expect(changed('same')).toEqual({ state: 'fresh' })
    expect(changed('earlier')).toMatchObject({ state: 'restart', file: 'app.js' })
    expect(changed('earlier', { watchesFiles: true })).toMatchObject({ state: 'pending' })
  })

  test('is no file if the server has changed it: others are in it', () => {
    const altered = changed('other')
    expect(altered).toMatchObject({ state: 'unknown', file: 'app.js', isAltered: true })
    expect(freshnessNoteOf(altered)).toContain('did not send that file as it is')
    const changes = { 'index.html': -9000, 'app.js': -9000, 'data.json': 4500 }
    expect(changed('same', {}, changes)).toEqual({ state: 'fresh' })
    expect(changed('other', {}, changes, 'index.html')).toMatchObject({ state: 'unknown', file: 'data.json' })
  })

  test('tells a folder of other files from the one that is served', () => {
    const changes = { 'dist/index.html': -9000, 'dist/app.js': 4500 }
    expect(changed('earlier', {}, changes, 'dist/app.js')).toMatchObject({ state: 'stale' })
    expect(changed('other', {}, changes, 'dist/app.js')).toMatchObject({ state: 'unknown' })
  })
})

test('a start of the server does not build what a page of files has of a source', () => {
  const loads = [load('/', 'document', 4000), load('/app.js', 'script', 4010)]
  const bundle = (builtAt: number, at: number) =>
    judge({
      loads,
      changes: { 'index.html': builtAt, 'app.js': builtAt, 'src/app.ts': at },
      earlierHashes: ['x'],
      now: 20_000,
      server: { watchesFiles: false, listenerStartedAt: START + 100 },
    }).state
  expect([bundle(-30_000, -20_000), bundle(-30_000, -20), bundle(-10, -20)]).toEqual([
    'unknown',
    'unknown',
    'fresh',
  ])
})

test('a page of PHP is its file', () => {
  const change = (at: number) =>
    judge({
      loads: [load('/', 'document', 4000)],
      changes: { 'index.php': at },
      now: 9000,
      server: { watchesFiles: false },
    })
  expect([1000, 3000, 5000].map((at) => change(at).state)).toEqual(['fresh', 'unknown', 'stale'])
})

test('a site of Hugo is fresh once it was built and loaded', () => {
  const lines = [
    [10, 'Built in 5 ms'],
    [5010, 'Change detected, rebuilding site (#1).'],
    [5040, 'Total in 20 ms'],
  ] as const
  const loads = [load('/', 'document', 1000), load('/', 'document', 5100)]
  expect(judge({ loads, changes: { 'content/a.md': 5000 }, now: 8000, lines })).toEqual({ state: 'fresh' })
  expect(judge({ loads, changes: { 'content/a.md': 5000 }, now: 8000, lines: lines.slice(0, 2) }).state).toBe(
    'pending',
  )
  const during = [load('/', 'document', 1000), load('/', 'document', 5020)]
  expect(judge({ loads: during, changes: { 'content/a.md': 5000 }, now: 8000, lines }).state).toBe('unknown')
})

test('what was changed after it was loaded is never fresh', () => {
  const times = fc.integer({ min: 1, max: 50_000 })
  fc.assert(
    fc.property(times, times, fc.boolean(), (loadAt, delay, watchesFiles) => {
      const loads = [load('/', 'document', loadAt), load('/app.js', 'script', loadAt)]
      const changes = { 'index.html': -9, 'app.js': loadAt + delay }
      const server = { watchesFiles }
      const judgement = judge({ loads, changes, now: loadAt + delay + 10, server })
      expect(judgement.state).toBe(delay > 250 ? 'stale' : 'pending')
    }),
    { numRuns: 200 },
  )
})

describe('a page of files that are sent as they are', () => {
  const load0 = (at: number, more: Partial<NetworkRequest> = {}) => [
    load('/', 'document', at),
    { ...load('/app.js', 'script', at), ...more },
    { ...load('/data.json', 'fetch', at), status: 200 },
  ]
  const files = { 'index.html': -9000, 'app.js': -9000, 'data.json': -9000 }
  const stateOf = (changes: Record<string, number>, more: Partial<Situation> = {}) =>
    judge({ loads: load0(1000), changes: { ...files, ...changes }, now: 9000, ...more }).state
  test('is stale if data that it has fetched has changed', () => {
    expect(stateOf({ 'data.json': 5000 })).toBe('stale')
  })
  test('is unknown if a service worker or a 304 answered after the change', () => {
    const stored = load0(6000, { isStored: true })
    const judgement = judge({ loads: stored, changes: { ...files, 'app.js': 5000 }, now: 9000 })
    expect(judgement).toMatchObject({ state: 'unknown', isStored: true })
    expect(freshnessNoteOf(judgement)).toContain('service worker')
    expect(stateOf({ 'app.js': 7000 }, { loads: stored })).toBe('stale')
  })
  test('is fresh if the file has the content again that the page has loaded', () => {
    const same = { from: START - 9000, until: START + 4000 }
    expect(stateOf({ 'app.js': 5000 }, { same })).toBe('fresh')
    expect(stateOf({ 'app.js': 5000 }, { same, loads: load0(4500) })).toBe('stale')
  })
  test('is fresh whatever happens to tests, and unknown if a source may be built into it', () => {
    expect(
      ['a.test.js', 'a.d.ts', '.github/ci.yml', 'README.md'].map((path) => stateOf({ [path]: 5000 })),
    ).toEqual(['fresh', 'fresh', 'fresh', 'fresh'])
    expect(stateOf({ 'src/app.ts': 5000 })).toBe('unknown')
  })
  test('is fresh if the server itself wrote the file', () => {
    const answered = { ...load('/upload', 'fetch', 5000), method: 'POST', status: 200 }
    const loads = [load('/rendered', 'document', 1000), answered]
    const change = { 'state.yaml': 5003 }
    expect(judge({ loads, changes: change, now: 9000 }).state).toBe('fresh')
    expect(judge({ loads: loads.slice(0, 1), changes: change, now: 9000 }).state).toBe('unknown')
    const server = { written: new Set(['app.data']) }
    expect(judge({ loads: loads.slice(0, 1), changes: { 'app.data': 5000 }, now: 9000, server }).state).toBe(
      'fresh',
    )
  })
  test('is never fresh if there are too many files to look at', () => {
    const facts = { now: START, changes: new Map(), isComplete: false, build: readBuildState([], 0) }
    const content = pageContentOf(load0(1000), [], ORIGIN, FOLDERS)
    const server = { pageFolder: '', startedAt: START, watchesFiles: false, programs: [] }
    expect(freshnessNoteOf(judgeFreshness({ ...facts, content, server }))).toContain('too many files')
  })
})

describe('a server that is started again after a change', () => {
  const stateOf = (loadedAt: number, listenerStartedAt: number) =>
    judge({
      loads: [{ ...load('/', 'document', loadedAt), status: 200 }],
      changes: { 'app.py': 5000 },
      now: 9000,
      server: { watchesFiles: undefined, listenerStartedAt: START + listenerStartedAt },
    })
  test('has a page from before, which must be loaded again', () => {
    expect(stateOf(1000, 6000)).toMatchObject({ state: 'reload', file: 'app.py' })
    expect(freshnessLineOf(stateOf(1000, 6000))).toContain('history {direction: "reload"}')
    expect(freshnessLineOf(stateOf(1000, 6000), true)).not.toContain('Call')
    expect(stateOf(7000, 6000).state).toBe('fresh')
    expect(stateOf(1000, 100).state).toBe('unknown')
  })
})

test('a program that nothing has started again for six seconds is not waited for', () => {
  const server = (watchesFiles: boolean | undefined, isHot = false) => ({
    watchesFiles,
    programs: [{ startedAt: START, files: new Set(['app.mjs']), isUp: true, isHot }],
  })
  const at = (now: number, ...args: Parameters<typeof server>) =>
    judge({
      loads: [load('/', 'document', 1000)],
      changes: { 'app.mjs': 5000 },
      now,
      server: server(...args),
    })
  expect(at(5100, undefined).state).toBe('pending')
  expect(freshnessLineOf(at(12_000, undefined))).toMatch(
    /has not started again since\. Call restart_server\.$/,
  )
  expect(freshnessLineOf(at(5100, false))).toMatch(/watches no files\. Call restart_server\.$/)
  // It takes the change without a start.
  expect(at(5100, undefined, true).state).toBe('unknown')
})
