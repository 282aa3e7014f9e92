import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'
import pack from '../../../package.json' with { type: 'json' }
import { runtimeOf } from '../../../src/core/cli/commands/build-info.ts'
import { binary } from '../../support/client.ts'

const root = resolve(import.meta.dir, '../../..')
const main = resolve(root, 'src/main.ts')
const npm = resolve(root, 'dist/npm/footlight.mjs')
const rows = [
  ['the executable', [binary], 'bun', binary, true],
  ['the npm package', ['node', npm], 'node', npm, false],
  ['deno', [resolve(root, 'node_modules/.bin/deno'), 'run', '-A', main], 'deno', main, false],
  ['bun', [process.execPath, main], 'bun', main, false],
] as const

test.each(rows)('%s says what it runs on', (_, command, runtime, executable, compiled) => {
  const [program, ...args] = command
  const { status, stdout } = spawnSync(program, [...args, 'version', '--json'], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    runtime: { name: runtime, version: expect.stringMatching(/^\d+\./) },
    platform: process.platform,
    arch: process.arch,
    playwright: pack.dependencies.playwright,
    executable,
    compiled,
  })
})

test('version alone is one line, and takes nothing else', () => {
  const run = (...args: string[]) =>
    spawnSync(binary, ['version', ...args], { encoding: 'utf8', timeout: 120_000 })
  expect(run().stdout).toBe(`${pack.version}\n`)
  expect(run('--jsn')).toMatchObject({ status: 2, stdout: '' })
})

test('a runtime that stands in for Node is named by its own name', () => {
  expect(runtimeOf({ node: '24.0.0', bun: '1.4.5' })).toEqual({ name: 'bun', version: '1.4.5' })
  expect(runtimeOf({ node: '24.0.0', deno: '2.9.6' })).toEqual({ name: 'deno', version: '2.9.6' })
  expect(runtimeOf({ node: '24.0.0' })).toEqual({ name: 'node', version: '24.0.0' })
})
