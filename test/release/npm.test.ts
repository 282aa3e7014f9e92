// The release of this machine's executable, installed by npm from its tarballs and from its archive, and used.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { sha256 } from '../../scripts/release/archive.ts'
import { version } from '../../scripts/release/project.ts'
import { defaultTools } from '../../src/core/cli/tools/catalogue.ts'
import { binary, connect } from '../support/client.ts'
import { platform } from './install-support.ts'
import { lines, release, root, type Scratch, scratch } from './support.ts'

let ground: Scratch
let out: string
let project: string
const platformPackage = () => join(project, 'node_modules/@footlight', platform)
const launcher = () => join(project, 'node_modules/footlight/launcher.cjs')

beforeAll(() => {
  ground = scratch()
  out = join(ground.folder, 'out')
  const ran = release(['--host-only', '--fast', '--out', out])
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  project = join(ground.folder, 'project')
  mkdirSync(project)
  const tarballs = [`footlight-${version}.tgz`, `footlight-${platform}-${version}.tgz`]
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', project]
  lines('npm', ...args, ...tarballs.map((file) => join(out, 'npm', file)))
}, 300_000)
afterAll(() => ground.remove())

const start = (env: Record<string, string> = {}, ...args: string[]) => {
  const { FOOTLIGHT_BINARY: _, ...outer } = process.env
  return spawnSync('node', [launcher(), ...args], { encoding: 'utf8', env: { ...outer, ...env }, input: '' })
}

test('the archive installs with install.sh', () => {
  const dir = join(ground.folder, 'bin')
  const archive = join(out, `footlight-v${version}-${platform}.tar.gz`)
  const said = lines('sh', join(root, 'install.sh'), '--dir', dir, '--from-archive', archive)
  expect(said[0]).toBe(`footlight ${version} is installed: ${dir}/footlight`)
  expect(sha256(readFileSync(join(dir, 'footlight')))).toBe(sha256(readFileSync(binary)))
}, 300_000)

describe('npx footlight', () => {
  test('is the executable', () => {
    const ran = spawnSync('npx', ['footlight', '--version'], { cwd: project, encoding: 'utf8' })
    expect([ran.status, ran.stdout]).toEqual([0, `${version}\n`])
    expect(sha256(readFileSync(join(platformPackage(), 'footlight')))).toBe(sha256(readFileSync(binary)))
  }, 300_000)

  test('answers initialize over stdio, and leaves nothing', async () => {
    const peer = await connect({ command: ['npx', 'footlight'], cwd: project })
    expect(peer.client.getServerVersion()).toMatchObject({ name: 'footlight', version })
    expect((await peer.client.listTools()).tools).toHaveLength(defaultTools.length)
    await peer.close()
  }, 300_000)
})

describe('the launcher', () => {
  test('passes arguments and the exit code on', () => {
    expect(start({}, '--bogus')).toMatchObject({ status: 2, stdout: '' })
  }, 300_000)

  test('passes SIGTERM on, so that the server ends in its own way', async () => {
    const peer = await connect({ command: ['node', launcher()] })
    await peer.session()
    const gone = new Promise<void>((resolve) => (peer.client.onclose = resolve))
    process.kill(peer.pid, 'SIGTERM')
    await gone
    await peer.trace.expectNothing()
  }, 300_000)

  test('starts what FOOTLIGHT_BINARY names, or says that it cannot', () => {
    const named = join(ground.folder, 'another')
    copyFileSync(Bun.which('echo') ?? '', named)
    expect(start({ FOOTLIGHT_BINARY: named }, 'hello').stdout).toBe('hello\n')
    const bad = start({ FOOTLIGHT_BINARY: '/nowhere/footlight' }, '--version')
    expect([bad.status, bad.stdout]).toEqual([1, ''])
    expect(bad.stderr).toContain('/nowhere/footlight ENOENT; name an executable')
    // Naming itself ends too.
    expect(start({ FOOTLIGHT_BINARY: launcher() }, '--version').stdout).toBe(`${version}\n`)
  }, 300_000)

  test('runs on Node where there is no executable', () => {
    const aside = join(ground.folder, 'aside')
    renameSync(platformPackage(), aside)
    const ran = start({}, '--version')
    renameSync(aside, platformPackage())
    expect([ran.status, ran.stdout]).toEqual([0, `${version}\n`])
    expect(ran.stderr).toBe(`footlight: no executable for ${platform} is installed; running on Node\n`)
  }, 300_000)
})
