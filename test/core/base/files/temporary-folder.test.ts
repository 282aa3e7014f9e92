// A folder is in use as long as its process runs, whatever number that has here: it may run in another container.

import { afterAll, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findLeftoverFolders } from '../../../../src/core/base/files/temporary-folder.ts'
import { until } from '../../../support/leftovers.ts'

const root = mkdtempSync(join(tmpdir(), 'tf-'))
const module = resolve(import.meta.dir, '../../../../src/core/base/files/temporary-folder.ts')
afterAll(() => rmSync(root, { recursive: true }))

test('the folder of a process of another namespace is left until that process has ended', async () => {
  const code = `(await import(${JSON.stringify(module)})).createTemporaryFolder(); setInterval(() => {}, 1e6)`
  // A number that no process has here.
  const script = 'echo 31000 > /proc/sys/kernel/ns_last_pid; "$@"; :'
  const args = ['--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', process.execPath, '-e', code]
  const child = spawn('unshare', args, { env: { ...process.env, TMPDIR: root }, stdio: 'ignore' })
  const folder = () =>
    join(root, [...new Bun.Glob('footlight-31*').scanSync({ cwd: root, onlyFiles: false })][0] ?? '-')
  expect(await until(() => existsSync(join(folder(), 'in-use')))).toBe(true)
  expect(await findLeftoverFolders(root)).toEqual([])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await until(async () => (await findLeftoverFolders(root)).length === 1)).toBe(true)
})

test('a folder without a socket is left for a day', async () => {
  const folder = join(root, 'footlight-31999-AbCd12')
  mkdirSync(folder)
  expect(await findLeftoverFolders(root)).not.toContain(folder)
  const yesterday = Date.now() / 1000 - 25 * 3600
  utimesSync(folder, yesterday, yesterday)
  expect(await findLeftoverFolders(root)).toContain(folder)
})

test('a process whose folder cannot be removed ends as it would', () => {
  const parent = join(root, 'parent')
  const code = `
    const temporary = (await import(${JSON.stringify(module)})).createTemporaryFolder({ sweep: false })
    process.once('exit', () => temporary.remove())
    const { rmSync, writeFileSync } = await import('node:fs')
    rmSync(${JSON.stringify(parent)}, { recursive: true })
    writeFileSync(${JSON.stringify(parent)}, 'a file, so that nothing below it can be removed')`
  const options = { env: { ...process.env, TMPDIR: parent }, encoding: 'utf8' } as const
  expect(spawnSync(process.execPath, ['-e', code], options)).toMatchObject({ status: 0, stderr: '' })
})
