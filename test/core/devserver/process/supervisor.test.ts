// The supervisor of a server, which Windows needs. What is asked of it is the same everywhere, so it is tested here.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createLogFolder } from '../../../../src/core/devserver/logs/log-folder.ts'
import { startServerProcess } from '../../../../src/core/devserver/process/child-process.ts'
import { type Trace, trace, until } from '../../../support/leftovers.ts'

const source = resolve(import.meta.dir, '../../../../src')
const supervisor = [process.execPath, `${source}/main.ts`, 'supervise']

let run: Trace
beforeAll(() => void (run = trace()))
afterAll(() => {
  for (const name of readdirSync(run.folder)) rmSync(join(run.folder, name), { recursive: true })
  return run.expectNothing()
})

function start(command: string | readonly string[]) {
  const { folder } = run
  const context = {
    ...{ run: 'run', tag: 'tag', folder, parentEnv: {}, supervisor },
    watchdog: { guard: () => {}, release: () => {}, guardSocket: () => {}, guardFolder: async () => {} },
    findFreePort: async () => 0,
  }
  const env = { PATH: process.env['PATH'] ?? '', ...run.env }
  const logs = createLogFolder(folder)
  const options = { command, program: undefined, cwd: folder, env, logs }
  return startServerProcess(
    options,
    context,
    () => {},
    () => {},
  )
}

const commands = () => run.processes().map(({ command }) => command)
const sleeper = 'sleep 1000 & echo up in $PWD; wait'

test('a server ends with its descendants when it is stopped', async () => {
  const server = start(sleeper)
  expect(await until(() => server.lastLines.stdout.length > 0)).toBe(true)
  expect(server.lastLines.stdout).toEqual([`up in ${run.folder}`])
  expect(await until(() => commands().includes('sleep 1000'))).toBe(true)
  expect(await server.stop(10_000)).toBe('stopped')
  expect(await until(() => commands().length === 0)).toBe(true)
})

test('a server ends with its descendants when the process that started it is killed', async () => {
  const command = { command: sleeper, cwd: run.folder, env: { PATH: process.env['PATH'], ...run.env } }
  const code = `
    const { spawnSupervised } = await import(${JSON.stringify(`${source}/core/devserver/process/supervisor.ts`)})
    const command = ${JSON.stringify(command)}
    spawnSupervised(${JSON.stringify(supervisor)}, command).stdout.pipe(process.stdout)`
  const starter = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(starter.stdout, 'data')
  expect(await until(() => commands().includes('sleep 1000'))).toBe(true)
  starter.kill('SIGKILL')
  expect(await until(() => commands().length === 0)).toBe(true)
})

test('the end of a server is that of its supervisor, with its code', async () => {
  const server = start('echo no >&2; exit 7')
  expect(await until(() => server.exit() !== undefined)).toBe(true)
  expect(server.exit()).toMatchObject({ code: 7, signal: null })
  expect(server.lastLines.stderr).toEqual(['no'])
  await server.stop(0)
})

test('a program that is not there is said as shells say it', async () => {
  const server = start(['no-such-program'])
  expect(await until(() => server.exit() !== undefined)).toBe(true)
  expect(server.exit()).toMatchObject({ code: 127 })
  expect(server.lastLines.stderr.join()).toContain('no-such-program')
  await server.stop(0)
})
