// install.sh, run by real shells against a server on this machine.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import {
  archiveOf,
  type Ground,
  ground,
  platform,
  script,
  standIn,
  tool,
  toolsIn,
} from './install-support.ts'

let on: Ground
let home: string
let installed: string

beforeAll(async () => {
  on = await ground()
  home = join(on.folder, 'home')
  installed = join(home, '.local/bin/footlight')
  await on.release('1.0.0')
  await on.release('1.1.0')
})
afterEach(() => rmSync(join(home, '.local'), { recursive: true, force: true }))
afterAll(() => on.remove())

const install = (...args: string[]) => on.run(['sh', script, ...args])
const left = () => readdirSync(home)
const nowhere = () => expect(left()).toEqual([])
const has = (name: string) => Bun.which(name) !== null

// Windows has install.ps1, which a release tries on Windows.
describe.skipIf(process.platform === 'win32')('install.sh', () => {
  describe('a download', () => {
    test('installs the latest version into ~/.local/bin, and names PATH and a browser', async () => {
      const ran = await install()
      expect([ran.status, ran.stderr]).toEqual([0, ''])
      expect(ran.stdout).toContain(`footlight 1.1.0 is installed: ${installed}`)
      expect(ran.stdout).toContain(`~/.bashrc:\n  export PATH="${home}/.local/bin:$PATH"`)
      expect(ran.stdout).toMatch(/Browser: \/|No browser was found/)
      expect(statSync(installed).mode & 0o777).toBe(0o755)
      // Nothing else: no profile, no half-made file.
      expect([left(), readdirSync(join(home, '.local/bin'))]).toEqual([['.local'], ['footlight']])
    })

    for (const tools of [
      ['curl', 'sha256sum'],
      ['wget', 'openssl'],
      ['curl', 'sha256sum', 'xz'],
    ]) {
      const all = tools.join(' and ')
      test.skipIf(!tools.every(has))(`with ${all} alone (skipped where one is not installed)`, async () => {
        const path = toolsIn(on.folder, ...tools)
        const before = on.site.hits.length
        const ran = await on.run(['sh', script, '--version', 'v1.0.0'], { PATH: path })
        expect([ran.status, ran.stderr]).toEqual([0, ''])
        expect(readFileSync(installed, 'utf8')).toBe(standIn('1.0.0'))
        const name = archiveOf('1.0.0', tools.includes('xz') ? 'tar.xz' : 'tar.gz')
        expect(on.site.hits.slice(before)).toEqual(['/v1.0.0/SHA256SUMS', `/v1.0.0/${name}`])
      })
    }

    test.skipIf(!has('sha256sum'))('with shasum, which a stand-in plays by sha256sum', async () => {
      const path = toolsIn(on.folder, 'curl')
      tool(path, 'shasum', `#!/bin/sh\n[ "$1 $2" = '-a 256' ] && exec ${Bun.which('sha256sum')}\n`)
      const ran = await on.run(['sh', script], { PATH: path })
      expect([ran.status, ran.stderr]).toEqual([0, ''])
    })

    test.each([
      ['no curl or wget', ['sha256sum'], 'neither curl nor wget is here'],
      ['nothing that makes a SHA-256', ['curl'], 'no sha256sum, shasum or openssl is here'],
    ])('with %s is refused', async (_, tools, words) => {
      const ran = await on.run(['sh', script], { PATH: toolsIn(on.folder, ...tools) })
      expect([ran.status, ran.stdout]).toEqual([1, ''])
      expect(ran.stderr).toContain(words)
      nowhere()
    })

    test('of a version that is not there says what to do', async () => {
      const ran = await install('--version', '9.9.9')
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain('/v9.9.9/SHA256SUMS; look at the version')
      nowhere()
    })

    test.each([
      ['http://mirror.example/footlight', 'plain http'],
      ['http://127.0.0.1.example/x', 'plain http'],
      ['ftp://mirror.example', 'expected https://'],
    ])('from %s is refused', async (url, words) => {
      const ran = await on.run(['sh', script], { FOOTLIGHT_DOWNLOAD_URL: url })
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain(words)
      nowhere()
    })
  })

  describe('a checksum', () => {
    const broken = async (name: string, change: (sums: string) => string) => {
      const place = join(on.mirror, 'v2.0.0')
      await on.release('2.0.0')
      const sums = readFileSync(join(place, 'SHA256SUMS'), 'utf8')
      writeFileSync(join(place, 'SHA256SUMS'), change(sums))
      const ran = await install('--version', '2.0.0')
      rmSync(place, { recursive: true })
      await on.release('1.1.0')
      expect([name, ran.status]).toEqual([name, 1])
      nowhere()
      return ran.stderr
    }

    test('that differs is refused', async () => {
      expect(await broken('wrong', (sums) => sums.replace(/^[0-9a-f]{8}/gm, '00000000'))).toContain(
        'nothing was installed',
      )
    })

    test('that is missing, or of a longer name, is refused', async () => {
      expect(await broken('missing', () => '')).toContain('does not list')
      expect(await broken('longer', (sums) => sums.replace(/ {2}/g, '  x-'))).toContain('does not list')
    })
  })

  test('an archive with another version, or that does not start, is refused', async () => {
    await on.release('3.0.0', standIn('2.9.9'))
    expect((await install('--version', '3.0.0')).stderr).toContain('says it is version 2.9.9, not 3.0.0')
    await on.release('3.0.0', '#!/bin/sh\necho "libfoo is missing" >&2\nexit 127\n')
    const ran = await install('--version', '3.0.0')
    rmSync(join(on.mirror, 'v3.0.0'), { recursive: true })
    await on.release('1.1.0')
    expect(ran.stderr).toMatch(/libfoo is missing\nfootlight install: the executable does not start here/)
    expect([ran.status, existsSync(installed), readdirSync(join(home, '.local/bin'))]).toEqual([1, false, []])
  })

  describe('a script that broke off', () => {
    const text = readFileSync(script, 'utf8')
    test('in half does nothing', async () => {
      await on.run(['sh'], {}, text.slice(0, text.length / 2))
      nowhere()
    })

    test('anywhere in its last lines does nothing', async () => {
      for (let end = text.length - 140; end < text.length - 2; end++)
        await on.run(['sh'], {}, text.slice(0, end))
      nowhere()
      expect((await on.run(['sh', '-s', '--', '--quiet'], {}, text)).status).toBe(0)
      expect(existsSync(installed)).toBe(true)
    })
  })

  describe('--from-archive', () => {
    const archive = () => join(on.mirror, 'v1.0.0', archiveOf('1.0.0'))
    test('asks no network, and takes the sums beside it or those given', async () => {
      const before = on.site.hits.length
      const offline = { PATH: toolsIn(on.folder, 'sha256sum') }
      const ran = await on.run(['sh', script, '--from-archive', archive()], offline)
      expect([ran.status, ran.stderr, on.site.hits.length]).toEqual([0, '', before])
      const alone = join(on.folder, archiveOf('1.0.0'))
      writeFileSync(alone, readFileSync(archive()))
      expect((await install('--from-archive', alone)).stderr).toContain('or name it with --checksums')
      const sums = join(on.mirror, 'v1.0.0/SHA256SUMS')
      expect((await install(`--from-archive=${alone}`, `--checksums=${sums}`)).status).toBe(0)
      writeFileSync(alone, 'not what it was')
      expect((await install('--from-archive', alone, '--checksums', sums)).status).toBe(1)
    })

    test('of another machine is refused', async () => {
      const other = join(on.folder, 'footlight-v1.0.0-plan9-mips.tar.gz')
      writeFileSync(other, '')
      const ran = await install('--from-archive', other)
      expect([ran.status, ran.stderr]).toEqual([
        1,
        expect.stringContaining(`footlight-v<version>-${platform}.tar.gz`),
      ])
    })
  })
})
