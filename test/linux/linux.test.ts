// The executables for other kinds of Linux: arm64 with its processor in software, and musl. Their browser is that of this machine.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect } from '../support/client.ts'
import { serveSite } from '../support/site.ts'

const built = (target: string) => resolve(import.meta.dir, '../../dist', `footlight-${target}`)
const libraries = mkdtempSync(join(tmpdir(), 'fl-musl-'))

beforeAll(() => {
  for (const name of ['libstdc++.so.6', 'libgcc_s.so.1'])
    copyFileSync(join('/usr/lib/x86_64-linux-gnu', name), join(libraries, name))
  const source = join(import.meta.dir, 'musl-glue.c')
  // Both libraries need the loader of glibc, so what takes its name is loaded with them.
  const library = join(libraries, 'ld-linux-x86-64.so.2')
  const args = ['-shared', '-nostdlib', '-fPIC', '-w', '-o', library, source]
  expect(spawnSync('gcc', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})
afterAll(() => rmSync(libraries, { recursive: true }))

const arm64: [string, ...string[]] = [
  'qemu-aarch64-static',
  '-L',
  '/usr/aarch64-linux-gnu',
  built('linux-arm64'),
]
const musl: [string, ...string[]] = [built('linux-x64-musl')]

describe.each([
  ['arm64', arm64, {}],
  ['musl', musl, { LD_LIBRARY_PATH: libraries }],
] as const)('the executable for %s', (name, command, env) => {
  const run = (...args: string[]) => {
    const [program, ...before] = command
    return spawnSync(program, [...before, ...args], { env: { ...process.env, ...env }, encoding: 'utf8' })
  }

  test('says its version', () => {
    expect(run('--version')).toMatchObject({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
      status: 0,
    })
  })

  test('lists its tools, and a click in a session works', async () => {
    const site = await serveSite({ '/': `<button onclick="this.textContent = 'Bought'">Buy</button>` })
    const peer = await connect({ command: [...command], env })
    expect(peer.client.getServerVersion()?.name).toBe('footlight')
    expect((await peer.client.listTools()).tools.map((tool) => tool.name)).toContain('click')
    const sessionId = await peer.session()
    await callOrThrow(peer, 'navigate', { sessionId, url: site.url })
    await callOrThrow(peer, 'click', { sessionId, selector: 'button' })
    expect((await callOrThrow(peer, 'snapshot', { sessionId })).snapshot).toContain('Bought')
    await peer.close()
    site.close()
  })

  // The demo starts its own executable, which an arm64 one can do only where the kernel starts qemu for it.
  test.if(name === 'musl')('starts itself: the calls of the demo, with a dev server', () => {
    expect(run('demo', '--headless')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('no process is left'),
    })
  })
})
