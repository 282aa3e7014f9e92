import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProcessInfo, selectOrphans } from '../../../src/core/devserver/process/orphans.ts'
import {
  createRows,
  createUsedBrowserRow,
  findFailedChecks,
  formatRow,
} from '../../../src/features/doctor/doctor-command.ts'
import {
  type BrowserFacts,
  checkOutputFolder,
  type Facts,
  listClientFiles,
} from '../../../src/features/doctor/gather-facts.ts'

const chromium: BrowserFacts = {
  browser: 'chromium',
  isUsed: true,
  path: '/usr/bin/chromium-headless-shell',
  reason: 'first one installed on the system',
  headed: '/usr/bin/chromium',
  launch: { version: '156.0', ms: 200 },
  searchedCount: 12,
  pathProblem: undefined,
  install: 'apt-get install -y chromium',
}
const firefox: BrowserFacts = {
  ...chromium,
  browser: 'firefox',
  isUsed: false,
  path: undefined,
  launch: undefined,
}

const well: Facts = {
  platform: 'linux',
  browsers: [chromium, firefox],
  settings: {
    problem: undefined,
    config: undefined,
    variables: [],
    misspelled: [],
    remote: undefined,
    headless: true,
  },
  sandbox: {
    platform: 'linux',
    isRoot: false,
    maxUserNamespaces: 9,
    unprivilegedUsernsClone: 1,
    apparmorRestrictUserns: 0,
    hasSetuidHelper: false,
  },
  display: { name: undefined, socket: true },
  sharedMemory: 2 ** 30,
  fonts: { config: true, files: 40, emoji: true, cjk: true, kit: false },
  loopback: { v4: undefined, v6: undefined },
  userCount: 1,
  hostBrowser: undefined,
  output: { path: '/w/.footlight', problem: undefined, pictures: [], removedCount: 0 },
  leftovers: { folders: [], processes: [], fixed: undefined },
  clients: [{ client: 'Cursor', file: '/h/.cursor/mcp.json' }],
}
const sandbox = well.sandbox
const left = {
  folders: ['/tmp/footlight-7-a'],
  processes: [{ pid: 9, startTime: '1', command: 'node dev.js' }],
  fixed: undefined,
}
const broken = (problem: string): BrowserFacts => ({ ...chromium, launch: { problem } })

const createAllRows = (facts: Facts) => [
  ...createRows(facts),
  ...facts.browsers.filter(({ isUsed }) => isUsed).map(createUsedBrowserRow),
]

test('where all is well nothing is to be done', () => {
  const rows = createAllRows(well)
  expect(rows.filter(({ state }) => state === 'warn' || state === 'fail')).toEqual([])
  expect(rows.at(-1)).toEqual({
    check: 'chromium (used)',
    state: 'ok',
    found:
      '156.0, a page in 200 ms: /usr/bin/chromium-headless-shell (first one installed on the system); with windows /usr/bin/chromium',
  })
})

const rows: [string, Partial<Facts>, string, string, string, string?][] = [
  [
    'a Chrome of Windows that answers',
    {
      hostBrowser: {
        side: 'wsl',
        addresses: ['127.0.0.1'],
        answer: { url: 'http://127.0.0.1:9222', version: 'Chrome/156' },
      },
    },
    'other side',
    'ok',
    'Chrome of Windows: Chrome/156 answers',
    '--cdp-endpoint http://127.0.0.1:9222',
  ],
  [
    'a host whose Chrome does not answer',
    { hostBrowser: { side: 'container', addresses: ['127.0.0.1', '172.17.0.1'] } },
    'other side',
    'skip',
    'does not answer at 127.0.0.1, 172.17.0.1',
    'docs/browsers.md',
  ],
  [
    'no browser',
    { browsers: [{ ...chromium, path: undefined, launch: undefined }] },
    'chromium (used)',
    'fail',
    'not found; looked in 12 places',
    'apt-get install',
  ],
  [
    'a broken browser',
    { browsers: [broken('chromium (/x) ended')] },
    'chromium (used)',
    'fail',
    'ended',
    'browsers install',
  ],
  [
    'a missing library',
    { browsers: [broken('x: error while loading shared libraries: libnss3.so: cannot')] },
    'chromium (used)',
    'fail',
    'libnss3',
    'missing library libnss3.so: apt-get',
  ],
  [
    'a wrong path',
    { browsers: [{ ...chromium, path: undefined, launch: undefined, pathProblem: '/nope does not exist' }] },
    'chromium (used)',
    'fail',
    '/nope does not exist',
    'correct the path',
  ],
  [
    'another engine',
    { browsers: [chromium, { ...firefox, path: '/f' }] },
    'firefox',
    'skip',
    'not started: /f',
    'footlight doctor --browser firefox',
  ],
  [
    'a misspelled variable',
    { settings: { ...well.settings, misspelled: ['FOOTLIGHT_HEADLES is not …'] } },
    'settings',
    'warn',
    'FOOTLIGHT_HEADLES',
  ],
  [
    'pictures of failures',
    { output: { ...well.output, pictures: ['/w/.footlight/0123abcd/failure-1.jpeg'] } },
    'output folder',
    'ok',
    'it has 1 picture of failures',
    'doctor --fix',
  ],
  [
    'pictures that were removed',
    { output: { ...well.output, pictures: ['/1', '/2'], removedCount: 2 } },
    'output folder',
    'ok',
    'removed: 2 pictures',
  ],
  [
    'a bad setting',
    { settings: { ...well.settings, problem: '--browser: no' } },
    'settings',
    'fail',
    '--browser: no',
    'fix the value',
  ],
  [
    'settings in force',
    { settings: { ...well.settings, config: 'f.json', variables: ['PORT'] } },
    'settings',
    'ok',
    'config file f.json; variables PORT',
  ],
  [
    'root',
    { sandbox: sandbox && { ...sandbox, isRoot: true } },
    'sandbox',
    'warn',
    'as root',
    'another user',
  ],
  [
    'AppArmor',
    { sandbox: sandbox && { ...sandbox, apparmorRestrictUserns: 1 } },
    'sandbox',
    'warn',
    'user namespaces',
    'apparmor_restrict',
  ],
  [
    'no namespaces',
    { sandbox: sandbox && { ...sandbox, unprivilegedUsernsClone: 0 } },
    'sandbox',
    'warn',
    'user namespaces',
    'userns_clone',
  ],
  ['a dead display', { display: { name: ':9', socket: false } }, 'display', 'warn', ':9', '--headless'],
  [
    'a dead display with windows',
    { display: { name: ':9', socket: false }, settings: { ...well.settings, headless: false } },
    'display',
    'fail',
    ':9',
    'unset DISPLAY',
  ],
  ['a small /dev/shm', { sharedMemory: 64 * 2 ** 20 }, 'shared memory', 'warn', '64 MB', '--shm-size'],
  [
    'no fonts',
    { fonts: { config: false, files: 0, emoji: false, cjk: false, kit: false } },
    'fonts',
    'fail',
    'no fonts installed',
    'apt-get',
  ],
  [
    'only the font of a kit',
    { fonts: { config: false, files: 0, emoji: false, cjk: false, kit: true } },
    'fonts',
    'warn',
    'has one',
    'apt-get',
  ],
  [
    'no emoji',
    { fonts: { config: true, files: 3, emoji: false, cjk: true, kit: false } },
    'fonts',
    'warn',
    'none for emoji:',
    'apt-get',
  ],
  [
    'no loopback',
    { loopback: { v4: 'EADDRNOTAVAIL', v6: 'EADDRNOTAVAIL' } },
    'loopback',
    'fail',
    'EADDRNOTAVAIL',
    'ip link set lo up',
  ],
  [
    'a Firefox beside other users',
    { platform: 'darwin', userCount: 2, browsers: [chromium, { ...firefox, path: '/f' }] },
    'other users',
    'warn',
    '2 people',
    'use Chromium',
  ],
  [
    'other users where connections are known',
    { userCount: 2, browsers: [chromium, { ...firefox, path: '/f' }] },
    'other users',
    'ok',
    '2 people',
  ],
  [
    'no output',
    { output: { ...well.output, path: '/w', problem: 'may not be written' } },
    'output folder',
    'fail',
    '/w',
    '--output-dir',
  ],
  [
    'leftovers',
    { leftovers: left },
    'leftovers',
    'warn',
    '1 folder (/tmp/footlight-7-a) and 1 process (9 node dev.js)',
    'doctor --fix',
  ],
  [
    'leftovers that were removed',
    { leftovers: { ...left, fixed: { folders: 1, processes: 1 } } },
    'leftovers',
    'ok',
    'removed: 1 folder',
  ],
  [
    'leftovers that stay',
    { leftovers: { ...left, fixed: { folders: 0, processes: 1 } } },
    'leftovers',
    'warn',
    'removed 1 of',
    'another user',
  ],
]

test.each(rows.map(([name, ...row]) => [name, row] as const))(
  '%s',
  (_, [change, check, state, words, next]) => {
    const row = createAllRows({ ...well, ...change }).find((one) => one.check === check)
    expect(row).toMatchObject({ state, found: expect.stringContaining(words) })
    if (next === undefined) expect(state).not.toBe('fail')
    else expect(row?.next).toContain(next)
  },
)

test('ready means that nothing failed; only the browser that would be used counts', () => {
  const failedOf = (facts: Facts) => findFailedChecks(createAllRows(facts))
  const other = { ...firefox, path: '/f' }
  expect(failedOf(well)).toEqual([])
  expect(failedOf({ ...well, browsers: [broken('no'), other] })).toEqual(['chromium (used)'])
  const remote = { ...well.settings, remote: 'ws://x' }
  expect(failedOf({ ...well, settings: remote, browsers: [{ ...chromium, isUsed: false }] })).toEqual([])
})

test('what to do stands below what was found', () => {
  expect(formatRow({ check: 'a', state: 'warn', found: 'b', next: 'c' })).toBe(
    `! warn  a${' '.repeat(16)}b\n${' '.repeat(25)}→ c`,
  )
})

test('old pictures of failures are found, and removed with their folder only where that is asked for', () => {
  const root = mkdtempSync(join(tmpdir(), 'fl-pictures-'))
  const [old, open] = [join(root, '0123abcd'), join(root, '4567cdef')]
  for (const folder of [old, open]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'failure-1.jpeg'), '')
    writeFileSync(join(folder, 'failure-1-2.jpeg'), '')
  }
  writeFileSync(join(open, 'page.png'), '')
  const past = new Date(Date.now() - 25 * 3_600_000)
  for (const path of [
    join(old, 'failure-1.jpeg'),
    join(old, 'failure-1-2.jpeg'),
    join(open, 'failure-1.jpeg'),
  ])
    utimesSync(path, past, past)
  utimesSync(join(open, 'page.png'), past, past)
  expect(checkOutputFolder(root, false)).toMatchObject({ problem: undefined, removedCount: 0 })
  expect(checkOutputFolder(root, false).pictures).toHaveLength(3)
  expect(checkOutputFolder(root, true).removedCount).toBe(3)
  expect(readdirSync(root, { recursive: true }).sort()).toEqual([
    '4567cdef',
    '4567cdef/failure-1-2.jpeg',
    '4567cdef/page.png',
  ])
  expect(checkOutputFolder(join(open, 'page.png', 'x'), true).problem).toContain(
    'page.png is not writable (ENOTDIR)',
  )
  rmSync(root, { recursive: true })
})

test.each([
  ['linux', 'VS Code', '/h/.config/Code/User/mcp.json'],
  ['darwin', 'Claude Desktop', '/h/Library/Application Support/Claude/claude_desktop_config.json'],
  ['linux', 'Codex', '/c/config.toml'],
  ['linux', 'Claude Code', '/w/.mcp.json'],
] as const)('on %s %s is looked for at %s', (platform, client, file) => {
  expect(listClientFiles({ platform, home: '/h', cwd: '/w', env: { CODEX_HOME: '/c' } })).toContainEqual({
    client,
    file,
  })
})

describe('processes of a footlight that is gone', () => {
  const one = (pid: number, parent: number, argv: string[], environment: string[] = []): ProcessInfo => ({
    pid,
    startTime: '1',
    parent,
    argv,
    environment,
  })
  const watchdog = one(50, 1, ['sh', '-c', "trap '' HUP INT TERM …", 'run-1', '/tmp/footlight-10-AbCd12'])
  const server = one(20, 1, ['node', 'dev.js'], ['FOOTLIGHT_RUN=run-1'])
  const browser = one(30, 1, [
    'firefox',
    '-profile',
    '/tmp/footlight-10-AbCd12/playwright_firefoxdev_profile-x',
  ])
  const profile = one(31, 1, [
    'chromium',
    '--user-data-dir=/tmp/footlight-10-AbCd12/playwright_chromiumdev_profile-x',
  ])
  const found = (all: ProcessInfo[], living: number[] = []) =>
    selectOrphans(all, (pid) => living.includes(pid)).map(({ pid }) => pid)

  test('are those with the mark of a run that nobody watches', () => {
    expect(found([server, browser, profile, one(40, 1, ['vim'], ['TMPDIR=/tmp'])])).toEqual([20, 30, 31])
  })
  test('not what only looks alike', () => {
    const own = ['chrome', '--user-data-dir=/home/ada/footlight-2024-demos/profile']
    expect(found([one(40, 1, own), one(41, 1, ['make'], ['TMPDIR=/scratch/footlight-118-builds'])])).toEqual(
      [],
    )
  })
  test('not those that a watchdog is about to end, nor the watchdog', () => {
    expect(found([watchdog, server, browser, profile])).toEqual([])
  })
  test('not the browser of a run that lives, nor what descends from a footlight', () => {
    expect(found([browser], [10])).toEqual([])
    expect(found([one(10, 1, ['/usr/bin/footlight']), { ...server, parent: 10 }])).toEqual([])
  })
})
