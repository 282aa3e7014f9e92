// A machine with nothing: an empty folder, no Node, a PATH with a few basic tools, and no network at all. From an archive and a kit to a
// working client.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pack from '../../package.json' with { type: 'json' }
import { sha256 } from '../../scripts/release/archive.ts'
import { archiveOf, script, toolsIn } from '../release/install-support.ts'
import { binary } from '../support/client.ts'

// A namespace without a route needs root or user namespaces.
const alone = [Bun.which('unshare') ?? 'unshare', '--net', '--map-root-user']
const possible = spawnSync(alone[0] ?? '', [...alone.slice(1), 'true']).status === 0

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-fresh-')))
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'tmp'))
  copyFileSync(script, join(folder, 'install.sh'))
  const archive = archiveOf(pack.version)
  copyFileSync(binary, join(folder, 'footlight'))
  spawnSync('tar', ['--use-compress-program', 'gzip -1', '-cf', archive, 'footlight'], { cwd: folder })
  rmSync(join(folder, 'footlight'))
  writeFileSync(join(folder, 'SHA256SUMS'), `${sha256(readFileSync(join(folder, archive)))}  ${archive}\n`)
  const packed = spawnSync(
    binary,
    ['browsers', 'pack', '--browser', 'chromium', '--out', join(folder, 'kit.tar.gz')],
    { encoding: 'utf8' },
  )
  expect([packed.status, packed.stderr.includes('rror')]).toEqual([0, false])
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs lines of shell there, as a user would type them, each with its time; answers all that is printed. */
function typed(lines: string): { status: number | null; out: string } {
  const tools = toolsIn(folder, 'sha256sum')
  const env = {
    HOME: join(folder, 'home'),
    PATH: `${join(folder, 'home/.local/bin')}:${tools}`,
    TMPDIR: join(folder, 'tmp'),
    SHELL: '/bin/bash',
    FOOTLIGHT_HEADLESS: 'true',
  }
  // Loopback is up there, and nothing else is.
  const up = `${Bun.which('ip') ?? 'ip'} link set lo up`
  const [program = '', ...args] = [...alone, Bun.which('sh') ?? 'sh', '-c', `${up} && set -e\n${lines}`]
  const ran = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout: 300_000 })
  return { status: ran.status, out: `${ran.stdout}${ran.stderr}` }
}

test.skipIf(!possible || !Bun.which('ip'))(
  'install from the archive, unpack the kit, doctor, a client, the demo (skipped where no namespace can be made)',
  () => {
    const archive = archiveOf(pack.version)
    const { status, out } = typed(`
      sh install.sh --from-archive ${archive}
      footlight browsers unpack kit.tar.gz
      footlight doctor
      footlight call navigate '{"url":"data:text/html,<title>Works</title>"}'
      footlight demo
    `)
    expect([status, out]).toEqual([0, expect.any(String)])
    expect(out).toContain(`footlight ${pack.version} is installed`)
    expect(out).toMatch(/chromium \(used\).*a page in \d+ ms: .*\.local\/share\/footlight\/browsers/)
    expect(out).toContain('"title":"Works"')
    expect(out).toContain('ELEMENT_NOT_CLICKABLE')
    if (process.env['FL_SHOW']) console.log(out)
  },
  360_000,
)
