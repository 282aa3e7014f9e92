// A client shows a server as ready when it has the list of tools. Until then nothing is loaded and nothing is started that the list does not
// need. The order is seen by signals: the sources run with a preload that ends the process at the moment Playwright is loaded.

import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { chooseTools } from '../../src/core/cli/options/choose-tools.ts'
import { defaultTools, everyTool } from '../../src/core/cli/tools/catalogue.ts'
import { createToolNames, type Dialect } from '../../src/core/mcp/calls/tool-names.ts'
import { convertSchemas, listTools } from '../../src/core/mcp/calls/tool-schema.ts'
import { binary } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { startRaw, toolCall } from '../support/raw.ts'

const root = resolve(import.meta.dir, '../..')
const main = join(root, 'src/main.ts')
const withoutPlaywright = [
  process.execPath,
  '--preload',
  join(root, 'test/support/no-playwright.ts'),
  main,
] as const

const LOADED_PLAYWRIGHT = 70
const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })

describe('Playwright is loaded', () => {
  test('not by what comes before the list', async () => {
    const raw = await startRaw([], { command: withoutPlaywright })
    const methods = ['ping', 'resources/list', 'resources/templates/list']
    for (const [id, method] of methods.entries()) {
      raw.send(request(id, method))
      expect((await raw.answer(id)).error).toBeUndefined()
    }
    expect(await raw.close()).toBe(0)
  }, 300_000)

  test('after tools/list has been answered', async () => {
    const raw = await startRaw([], { command: withoutPlaywright })
    raw.send(request(1, 'tools/list'))
    expect((await raw.answer(1)).result.tools).toHaveLength(defaultTools.length)
    expect(await raw.exit).toBe(LOADED_PLAYWRIGHT)
    await raw.close()
  }, 300_000)

  test('after the first call has been answered, if the tools were never listed', async () => {
    const raw = await startRaw([], { command: withoutPlaywright })
    raw.send(toolCall(1, 'list_sessions'))
    expect((await raw.answer(1)).result.structuredContent).toEqual({ sessions: [] })
    expect(await raw.exit).toBe(LOADED_PLAYWRIGHT)
    await raw.close()
  }, 300_000)
})

test('initialize starts no process, tools/list starts the browser', async () => {
  const raw = await startRaw()
  for (let id = 1; id <= 20; id += 1) {
    raw.send(request(id, 'ping'))
    await raw.answer(id)
    expect(raw.trace.processes().map(({ pid }) => pid)).toEqual([raw.pid])
  }
  raw.send(request(21, 'tools/list'))
  await raw.answer(21)
  expect(await until(() => raw.trace.browsers().length === 1)).toBe(true)
  expect(raw.trace.browsers()[0]?.command).toMatch(/chrom/)
  expect(await raw.close()).toBe(0)
}, 300_000)

const dialects: readonly Dialect[] = ['footlight', 'session', 'e2e', 'browser']

test.each(dialects.flatMap((names) => [false, true].map((implicit) => [names, implicit] as const)))(
  'the executable lists what the sources list: --names %s, --implicit-session %p',
  (names, implicit) => {
    const options = ['--names', names, ...(implicit ? ['--implicit-session'] : [])]
    const printed = spawnSync(binary, ['tools', '--json', ...options], { encoding: 'utf8' })
    const chosen = chooseTools('default', names)
    if (!chosen.ok) throw new Error(chosen.error)
    const tools = listTools({
      tools: chosen.value,
      everyTool,
      names: createToolNames(everyTool, names),
      isSessionOptional: implicit || names === 'footlight',
    })
    expect(JSON.parse(printed.stdout)).toEqual({ tools })
  },
)

test('the executable and the sources answer tools/list alike', async () => {
  const list = async (command: readonly [string, ...string[]]) => {
    const raw = await startRaw([], { command })
    raw.send(request(1, 'tools/list'))
    const { result } = await raw.answer(1)
    await raw.close()
    return result
  }
  const built = await list([binary])
  expect(built.tools).toHaveLength(defaultTools.length)
  expect(built).toEqual(await list([process.execPath, main]))
}, 120_000)

test('the executable contains the schemas already converted', () => {
  const [first] = defaultTools.filter(({ name }) => name === 'close_session')
  const schemas = first && JSON.stringify(convertSchemas(first))
  expect(readFileSync(binary).includes(`"close_session":${schemas}`)).toBe(true)
})

test('after a session has tried to start its browser, no other one is started ahead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-ready-'))
  const browser = join(folder, 'browser.sh')
  writeFileSync(browser, '#!/bin/sh\necho started >> "$0.log"\nexit 1\n', { mode: 0o755 })
  const raw = await startRaw(['--executable-path', browser])
  raw.send(toolCall(1, 'create_session'))
  expect((await raw.answer(1)).result.isError).toBe(true)
  raw.send(request(2, 'tools/list'))
  await raw.answer(2)
  // The end waits for a browser that is starting.
  expect(await raw.close()).toBe(0)
  expect(readFileSync(`${browser}.log`, 'utf8')).toBe('started\n')
  rmSync(folder, { recursive: true, force: true })
}, 300_000)
