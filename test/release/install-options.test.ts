// The options of install.sh, what it says, and the shells it runs in.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { repository } from '../../scripts/release/project.ts'
import { archiveOf, type Ground, ground, platform, script, standIn } from './install-support.ts'

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
  test('--dry-run changes nothing', async () => {
    const ran = await install('--dry-run')
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toContain(`would download ${on.site.url}/v1.1.0/footlight-v1.1.0-${platform}.tar.`)
    expect(ran.stdout).toContain(`as ${installed}`)
    nowhere()
    const local = join(on.mirror, 'v1.0.0', archiveOf('1.0.0'))
    expect((await install('--dry-run', '--from-archive', local)).status).toBe(0)
    nowhere()
    await install('--quiet')
    expect((await install('--uninstall', '--dry-run')).stdout).toBe(`would remove ${installed}\n`)
    expect(existsSync(installed)).toBe(true)
  })

  test('again is nothing to do, a newer one is an upgrade, and --uninstall takes it away', async () => {
    expect((await install('--version', '1.0.0', '--quiet')).stdout).toBe('')
    const { mtimeMs, ino } = statSync(installed)
    const again = await install('--version=1.0.0')
    expect(again.stdout).toContain('1.0.0 is in')
    expect(again.stdout).toContain('nothing to do')
    expect([again.status, statSync(installed).mtimeMs, statSync(installed).ino]).toEqual([0, mtimeMs, ino])
    expect((await install()).stdout).toContain('footlight 1.1.0 replaces 1.0.0')
    const gone = await install('--uninstall')
    expect([gone.status, existsSync(installed)]).toEqual([0, false])
    expect(await install('--uninstall')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing to remove'),
    })
  })

  test('the PATH line is for the shell of the user, and only where it is needed', async () => {
    const fish = await on.run(['sh', script], { SHELL: '/usr/bin/fish' })
    expect(fish.stdout).toContain(`fish_add_path "${home}/.local/bin"`)
    expect((await on.run(['sh', script], { SHELL: '/bin/zsh' })).stdout).toContain('~/.zshrc')
    expect((await on.run(['sh', script], { SHELL: undefined })).stdout).toContain('~/.profile')
    expect((await install('--no-modify-path')).stdout).not.toContain('PATH')
    const there = { PATH: `${home}/.local/bin:${process.env['PATH']}` }
    expect((await on.run(['sh', script], there)).stdout).not.toContain('PATH')
    expect(left()).toEqual(['.local'])
  })

  describe('a folder', () => {
    test('is given by --dir or FOOTLIGHT_INSTALL_DIR, with spaces too', async () => {
      const place = join(on.folder, 'my programs')
      await on.run(['sh', script, '--quiet'], { FOOTLIGHT_INSTALL_DIR: place })
      await install('--quiet', '--dir', 'relative/bin/')
      expect(readdirSync(place)).toEqual(['footlight'])
      expect(readdirSync(join(on.folder, 'relative/bin'))).toEqual(['footlight'])
      nowhere()
    })

    test('that cannot be written is refused before the download', async () => {
      const before = on.site.hits.length
      const ran = await install('--dir', `${script}/bin`)
      expect([ran.status, on.site.hits.length]).toEqual([1, before])
      expect(ran.stderr).toContain('choose another folder with --dir')
    })

    const root = process.getuid?.() === 0 && has('setpriv')
    test.skipIf(!root)('that belongs to another user is refused (needs root and setpriv)', async () => {
      const place = join(on.folder, 'locked')
      mkdirSync(place, { mode: 0o755 })
      chmodSync(on.folder, 0o755)
      const nobody = ['setpriv', '--reuid=65534', '--clear-groups', 'sh', '-s', '--', '--dir', place]
      const ran = await on.run(nobody, {}, readFileSync(script, 'utf8'))
      expect([ran.status, readdirSync(place)]).toEqual([1, []])
      expect(ran.stderr).toContain('This script never asks for root')
    })
  })

  test.each([
    [['--colour'], 'unknown option --colour'],
    [['--quiet=1'], 'unknown option 1'],
    [['--version'], '--version needs a value'],
    [['--version', '1.0;rm'], 'expected a number like 0.1.0'],
    [['now'], 'unknown option now'],
  ])('%p exits with 2 and the usage', async (args, words) => {
    const ran = await install(...args)
    expect([ran.status, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain(words)
    expect(ran.stderr).toContain('Usage: install.sh')
    nowhere()
  })

  test('--help is the answer, and names our repository', async () => {
    const ran = await install('--help')
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toContain(`${repository}/releases`)
    expect(readFileSync(join(script, '../install.ps1'), 'utf8')).toContain(`'${repository}'`)
  })

  describe.each([
    ['dash', ['dash']],
    ['bash', ['bash', '--posix']],
    ['busybox', ['busybox', 'sh']],
    ['zsh', ['zsh', '--emulate', 'sh']],
  ])('%s', (name, shell) => {
    test.skipIf(!has(name))(
      `installs, upgrades and removes (skipped where ${name} is not installed)`,
      async () => {
        const run = (...args: string[]) => on.run([...shell, script, ...args])
        for (const version of ['1.0.0', '1.1.0']) {
          const ran = await run('--version', version)
          expect([ran.status, ran.stderr]).toEqual([0, ''])
          expect(readFileSync(installed, 'utf8')).toBe(standIn(version))
        }
        expect((await run('--uninstall')).status).toBe(0)
        expect((await run('--what')).status).toBe(2)
        expect(existsSync(installed)).toBe(false)
      },
    )
  })

  test.skipIf(!has('shellcheck'))(
    'shellcheck finds nothing (skipped where it is not installed)',
    async () => {
      const ran = await on.run(['shellcheck', script])
      expect([ran.status, ran.stdout]).toEqual([0, ''])
    },
  )
})
