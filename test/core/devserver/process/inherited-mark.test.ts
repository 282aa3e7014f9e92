// What leaves the tree of a command in every way that a program has: another session, no environment, no output, and a parent that has ended.

import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createLogFolder } from '../../../../src/core/devserver/logs/log-folder.ts'
import { startServerProcess } from '../../../../src/core/devserver/process/child-process.ts'
import { until } from '../../../support/leftovers.ts'

const folder = mkdtempSync(join(tmpdir(), 'marks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A command that leaves `sleep SECONDS` behind and ends. */
const leaver = (seconds: number) =>
  `env -i ${process.env['PATH'] === undefined ? '' : `PATH='${process.env['PATH']}'`} setsid sleep ${seconds} </dev/null >${folder}/out 2>&1 & echo up; exit 0`

const isRunning = (seconds: number) =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`
    } catch {
      return false
    }
  })

const start = (command: string | readonly string[]) =>
  startServerProcess(
    {
      command,
      program: undefined,
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      logs: createLogFolder(folder),
    },
    {
      ...{ run: crypto.randomUUID(), tag: crypto.randomUUID(), folder, parentEnv: {} },
      watchdog: { guard: () => {}, release: () => {}, guardSocket: () => {}, guardFolder: async () => {} },
      findFreePort: async () => 0,
    },
    () => {},
    () => {},
  )

test.skipIf(process.platform !== 'linux').each([
  ['a shell command', leaver(61_001), 61_001],
  ['a program with arguments', ['sh', '-c', leaver(61_002)], 61_002],
] as const)('what %s has left behind ends with it', async (_, command, seconds) => {
  const server = start(command)
  // It has left before anybody looked: the first look after the start is at its end.
  expect(await until(() => server.exit() !== undefined)).toBe(true)
  expect(await until(() => isRunning(seconds))).toBe(true)
  await server.stop(2000)
  expect(isRunning(seconds)).toBe(false)
})

test('a program that is missing fails as it does without the mark', async () => {
  const server = start(['no-such-program'])
  expect(await until(() => server.exit() !== undefined)).toBe(true)
  expect(server.exit()?.error?.code).toBe('ENOENT')
  await server.stop(10)
})

test.skipIf(process.platform !== 'linux')(
  'the watchdog ends it too, when this process is killed',
  async () => {
    const source = resolve(import.meta.dir, '../../../../src/core/devserver')
    const code = `
    const { createServers } = await import(${JSON.stringify(`${source}/start/dev-servers.ts`)})
    const { startServerProcess } = await import(${JSON.stringify(`${source}/process/child-process.ts`)})
    const { createLogFolder } = await import(${JSON.stringify(`${source}/logs/log-folder.ts`)})
    const { mkdtempSync } = await import('node:fs')
    const folder = mkdtempSync(${JSON.stringify(join(folder, 'run-'))})
    const context = createServers({ folder, parentEnv: {}, outputFolder: folder }).createContext()
    const env = { PATH: process.env.PATH }
    const options = { command: ${JSON.stringify(leaver(61_003))}, program: undefined, cwd: '/', env, logs: createLogFolder(folder) }
    const server = startServerProcess(options, context, () => {}, () => server.exit() && console.log('left'))
    setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(starter.stdout, 'data')
    expect(await until(() => isRunning(61_003))).toBe(true)
    starter.kill('SIGKILL')
    expect(await until(() => !isRunning(61_003))).toBe(true)
    // The watchdog removes the folder of the run last.
    expect(await until(() => !readdirSync(folder).some((name) => name.startsWith('run-')))).toBe(true)
  },
)
