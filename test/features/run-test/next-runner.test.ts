// The process of the next run of Playwright Test is started in advance, and what it runs is what a run without it does.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { waitForRun } from '../../../src/features/run-test/in-playwright/wait-for-run.ts'
import { connect, type Peer } from '../../support/client.ts'
import { type Process, type Trace, until } from '../../support/leftovers.ts'
import { openShell } from '../../support/shell.ts'
import { createTestProject, type TestProject } from '../../support/test-project.ts'

const imports = `import { test, expect } from '@playwright/test'\nimport { title } from './title'\n`
/** Each process of Playwright Test that loads it adds its number. */
const configuration = (options: string) => `import { appendFileSync } from 'node:fs'
if (!process.env.TEST_WORKER_INDEX) appendFileSync('pids.txt', process.pid + ' ' + process.argv.slice(1, 3).join(' ') + '\\n')
export default { ${options} }`

let project: TestProject
let peer: Peer
beforeEach(async () => {
  project = createTestProject({
    'playwright.config.ts': configuration('timeout: 0'),
    'title.ts': `export const title = 'first'`,
    'a.spec.ts': `${imports}test('has a title', async () => expect(title).toBe('first'))
test('has output', async () => console.log(process.env.TMPDIR))`,
  })
  peer = await connect({ cwd: project.folder })
})
afterEach(() => project.remove())

const waitingIn = ({ processes }: Trace): readonly Process[] =>
  processes().filter(({ command }) => command.includes('wait-for-run.cjs'))
const waiting = () => waitingIn(peer.trace)
/** Whether it has loaded all, and polls its input. */
const isReady = ({ pid }: Process) => {
  const folder = `/proc/${pid}/fdinfo`
  try {
    return readdirSync(folder).some((name) => /^tfd:\s+0 /m.test(readFileSync(join(folder, name), 'latin1')))
  } catch {
    // While it loads, files are closed between the list and the look.
    return false
  }
}
async function findWaiting(): Promise<number> {
  let pid = 0
  await until(() => (pid = waiting().find(isReady)?.pid ?? 0) > 0)
  return pid
}
const loads = (): readonly string[] =>
  readFileSync(join(project.folder, 'pids.txt'), 'utf8').trim().split('\n')
const run = async (input: Record<string, unknown> = {}) => (await peer.call('run_test', input)).data

test('the second run is that of the process that waited, with the same answer and command line', async () => {
  const { message: _, duration: __, ...first } = await run()
  const pid = await findWaiting()
  const { message: ___, duration: ____, ...second } = await run()
  expect(second).toEqual(first)
  expect(second).toMatchObject({ passed: 2 })
  const [cold = '', warm = ''] = loads()
  expect(warm).toBe(`${pid} ${cold.split(' ').slice(1).join(' ')}`)
  await peer.close()
})

test('a run sees what was edited while its process waited', async () => {
  await run()
  const pids = [await findWaiting()]
  project.write({ 'title.ts': `export const title = 'second'` })
  expect(await run()).toMatchObject({ errorCode: 'TEST_FAILED' })
  pids.push(await findWaiting())
  project.write({ 'a.spec.ts': `${imports}test('has a title', async () => expect(title).toBe('second'))` })
  expect(await run()).toMatchObject({ passed: 1 })
  pids.push(await findWaiting())
  project.write({ 'playwright.config.ts': configuration(`timeout: 0, testMatch: 'none.spec.ts'`) })
  expect(await run()).toMatchObject({ errorCode: 'TEST_RUN_FAILED', details: { reason: 'no_tests' } })
  expect(loads().slice(1, 4).map(Number.parseFloat)).toEqual(pids)
  await peer.close()
})

test('with other variables, and where the process that waited was killed, a run is done without it', async () => {
  await run()
  const pid = await findWaiting()
  expect(await run({ env: { LEVEL: '1' } })).toMatchObject({ passed: 2 })
  await until(() => waiting().some((other) => other.pid !== pid) && waiting().length === 1)
  const next = await findWaiting()
  process.kill(next, 'SIGKILL')
  expect(await run({ env: { LEVEL: '1' } })).toMatchObject({ passed: 2 })
  const pids = loads().map(Number.parseFloat)
  expect(pids).toHaveLength(3)
  expect(pids).not.toContain(pid)
  expect(pids).not.toContain(next)
  await peer.close()
})

/** The scripts of the runs whose files are there. */
const scripts = (): readonly string[] => [
  ...new Bun.Glob('footlight-*/run-*/run/launch-fallback.cjs').scanSync(peer.trace.folder),
]

test('a run whose process ends before it begins is done by another', async () => {
  await run()
  const pid = await findWaiting()
  const before = scripts()
  process.kill(pid, 'SIGSTOP')
  const answer = run()
  // They are written right before the process is told.
  await until(() => scripts().some((path) => !before.includes(path)))
  process.kill(pid, 'SIGKILL')
  expect(await answer).toMatchObject({ passed: 2 })
  const pids = loads().map(Number.parseFloat)
  expect(pids).toHaveLength(2)
  expect(pids).not.toContain(pid)
  await peer.close()
})

test('a run has the modules of Playwright that are there when it begins', async () => {
  for (const name of ['@playwright/test', 'playwright', 'playwright-core'])
    cpSync(join('node_modules', name), join(project.folder, 'own/node_modules', name), { recursive: true })
  project.write({
    'own/playwright.config.ts': 'export default { timeout: 0 }',
    'own/a.spec.ts': `import { test } from '@playwright/test'\ntest('passes', () => {})`,
  })
  const program = join(project.folder, 'own/node_modules/playwright/lib/program.js')
  const addVersion = (version: string) =>
    appendFileSync(program, `\nrequire('fs').appendFileSync('loaded.txt', '${version} ' + process.pid + ',')`)
  addVersion('old')
  expect(await run({ path: 'own' })).toMatchObject({ passed: 1 })
  const pid = await findWaiting()
  addVersion('new')
  expect(await run({ path: 'own' })).toMatchObject({ passed: 1 })
  const [first = '', second, ...more] = readFileSync(join(project.folder, 'own/loaded.txt'), 'utf8').split(
    ',',
  )
  expect([first, second]).toEqual([`old ${Number(first.slice(4))}`, `old ${pid}`])
  expect(more.join()).toMatch(/^old (\d+),new \1,/)
  await peer.close()
})

test('the process that waits ends when its server is killed', async () => {
  await run()
  await findWaiting()
  process.kill(peer.pid, 'SIGKILL')
  await peer.close()
})

test('the process that waits ends with its input', async () => {
  const script = join(project.folder, 'wait.cjs')
  const settings = JSON.stringify({ program: join(project.folder, 'node_modules/@playwright/test/cli.js') })
  writeFileSync(script, `(${String(waitForRun)})(require, ${settings})`)
  const child = spawn('node', [script, 'test'], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
  await peer.close()
})

test('a command of the shell leaves no process that waits', async () => {
  const shell = openShell()
  for (const name of ['playwright.config.ts', 'title.ts', 'a.spec.ts'])
    cpSync(join(project.folder, name), join(shell.folder, name))
  symlinkSync(join(project.folder, 'node_modules'), join(shell.folder, 'node_modules'))
  expect(await shell.run('test')).toMatchObject({ code: 0 })
  expect(waitingIn(shell.trace)).toEqual([])
  await shell.close()
  await peer.close()
})
