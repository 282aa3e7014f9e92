// `footlight verify` as a command where no server runs: for CI.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { openWorkTree, type WorkTree } from './work-tree.ts'

let tree: WorkTree
beforeEach(() => {
  tree = openWorkTree()
})
afterEach(() => tree.close())

/** A command that comes next has begun before that. */
const duringJob = () => Date.now() + 600_000

const verify = (...words: readonly string[]) => tree.run(['verify', ...words], { stdin: '' })

test('the verdict is that of git and the ledger, and --ci exits 5, 0 and 1', async () => {
  const nothing = { code: 5, out: expect.stringContaining('nothing tells where the work began') }
  expect(await verify('--ci')).toMatchObject(nothing)
  tree.edit()
  expect(await verify()).toMatchObject({
    code: 5,
    err: '',
    out: `verify: UNVERIFIED - 0 of 1 changed file ran; nothing tells where the work began: give a base
 not loaded src/total.ts: open a page that uses it
all of it: ${join(tree.top, '.footlight/verify/verify.md')}
`,
  })
  const unverified = await verify('--ci')
  expect(unverified.out).toStartWith('## verify: UNVERIFIED\n')
  expect(unverified.code).toBe(5)
  expect(readFileSync(join(tree.top, '.footlight/verify/verify.md'), 'utf8')).toBe(unverified.out)
  await tree.noteRun(tree.top, duringJob())
  const passed = await verify('--ci')
  expect(passed.code).toBe(0)
  expect(passed.out).toContain('1 of 1 changed file ran')
  expect(passed.out).toContain('| `src/total.ts` | `2` |')
  await tree.noteError(duringJob())
  expect(await verify('--ci')).toMatchObject({ code: 1, out: expect.stringContaining('## verify: FAIL') })
})

test('a claim with a check is not verified, for no session is open; the words are checked', async () => {
  const claims = JSON.stringify([{ say: 'it adds', check: { text: '2' } }, { say: 'it is fast' }])
  const { out, code } = await verify('--ci', '--claims', claims)
  expect(code).toBe(5)
  expect(out).toContain('| it adds | UNVERIFIED | no session is open |')
  expect(out).toContain('| it is fast | UNVERIFIED | no check |')
  expect(await verify('--claims', '[{}]')).toMatchObject({ code: 2, out: '' })
  expect(await verify('--base', 'nothing')).toMatchObject({
    code: 1,
    out: expect.stringContaining('INVALID_PARAMETERS'),
  })
})

test('a session that is named must be open', async () => {
  expect(await tree.run(['-s', 'ada', 'verify', '--ci'], { stdin: '' })).toMatchObject({ code: 3 })
})

test('the ledgers of the folder and of those around it count, and that of a folder which is named', async () => {
  tree.edit()
  const judge = async (cwd: string, env = {}) =>
    (await tree.run(['verify', '--ci'], { cwd, env, stdin: '' })).code
  const source = join(tree.top, 'src')
  await tree.noteRun(source, duringJob())
  expect([await judge(source), await judge(tree.top)]).toEqual([0, 5])
  const output = join(tree.home, 'other/.footlight')
  const config = join(tree.home, 'footlight.json')
  writeFileSync(config, JSON.stringify({ outputDir: output }))
  expect(await judge(source, { FOOTLIGHT_CONFIG: config })).toBe(5)
  await tree.noteRun(join(tree.home, 'other'), duringJob())
  expect(await judge(tree.top, { FOOTLIGHT_CONFIG: config })).toBe(0)
  expect(await judge(tree.top, { FOOTLIGHT_OUTPUT_DIR: output })).toBe(0)
  await tree.noteRun(tree.top, duringJob())
  expect(await judge(source)).toBe(0)
})

test('a commit that was checked out alone does not pass, unless its base is named', async () => {
  tree.git('branch', '--move', 'main', 'develop')
  tree.git('checkout', '--quiet', '--detach')
  tree.git('branch', '--delete', '--force', 'develop')
  tree.edit()
  expect(await verify('--ci')).toMatchObject({
    code: 5,
    out: expect.stringContaining('nothing tells where the work began'),
  })
  await tree.noteRun(tree.top, duringJob())
  expect(await verify('--ci', '--base', 'HEAD')).toMatchObject({ code: 0 })
})

test('no folder for sockets is needed, and none of a repository', async () => {
  tree.edit()
  const shared = join(tree.home, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  const env = { XDG_RUNTIME_DIR: shared }
  expect(await tree.run(['verify', '--ci'], { env, stdin: '' })).toMatchObject({ code: 5 })
  const outside = await tree.run(['verify', '--ci'], { cwd: tree.home, stdin: '' })
  expect(outside).toMatchObject({ code: 1, out: expect.stringContaining('is in no git repository') })
  expect(existsSync(join(tree.home, '.footlight'))).toBe(false)
})

test('a server with a session judges there; one without leaves it to git and the ledger', async () => {
  tree.edit()
  const env = { ...(process.env as Record<string, string>), XDG_RUNTIME_DIR: join(tree.home, 'run') }
  const run = (...words: readonly string[]) => tree.run(words, { env, stdin: '' })
  try {
    expect(await run('open', 'data:text/html,<h1>Hello</h1>')).toMatchObject({ code: 0 })
    const inSession = await run('verify')
    expect(inSession.out).toContain(' not loaded src/total.ts: open a page that uses it\n')
    expect(inSession.out).not.toContain('.footlight/verify/verify.md')
    await run('close')
    const alone = await run('verify', '--ci', '--json')
    expect(alone.code).toBe(5)
    expect(JSON.parse(alone.out).file).toBe(join(tree.top, '.footlight/verify/verify.md'))
  } finally {
    await run('daemon', 'stop')
  }
})
