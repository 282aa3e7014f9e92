import { describe, expect, test } from 'bun:test'
import { listCandidates } from '../../../../src/core/browser/process/find-executable.ts'
import type { SearchEnvironment } from '../../../../src/core/browser/process/kit-folders.ts'

const candidatePaths = (...search: Parameters<typeof listCandidates>) =>
  listCandidates(...search).map(({ path }) => path)

const linux: SearchEnvironment = {
  platform: 'linux',
  env: { PATH: '/opt/bin:/usr/bin' },
  home: '/home/me',
  listFolder: () => [],
}

describe('where browsers are looked for', () => {
  test("Playwright's newest build, then the headless shell, then the system's", () => {
    const listFolder = (folder: string) =>
      ({
        '/home/me/.cache/ms-playwright': [
          'chromium-9',
          'chromium_headless_shell-99',
          'chromium_headless_shell-1255',
          'firefox-1',
        ],
        '/home/me/.cache/ms-playwright/chromium_headless_shell-1255': ['chrome-headless-shell-linux64'],
      })[folder] ?? []
    const paths = candidatePaths({ browser: 'chromium', headless: true }, { ...linux, listFolder })
    expect(paths[0]).toBe(
      '/home/me/.cache/ms-playwright/chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell',
    )
    const system = paths.filter((path) => !path.includes('ms-playwright'))
    expect(system[0]).toBe('/opt/bin/chromium-headless-shell')
    expect(system.indexOf('/usr/bin/chromium')).toBeGreaterThan(
      system.indexOf('/usr/bin/chromium-headless-shell'),
    )
  })
  test('a kit that was unpacked comes first, the newest of them, the shell only without windows', () => {
    const kits = [
      'chromium-99.0.1',
      'chromium-headless-9.0',
      'chromium-headless-156.0.2',
      'firefox-1.0',
      '.x',
    ]
    const root = '/home/me/.local/share/footlight/browsers'
    const environment = { ...linux, listFolder: (folder: string) => (folder === root ? kits : []) }
    const kitsFor = (browser: 'chromium' | 'firefox' | 'chrome', headless: boolean) =>
      candidatePaths({ browser, headless }, environment)
        .filter((path) => path.startsWith(root))
        .map((path) => path.slice(root.length + 1))
    expect(candidatePaths({ browser: 'chromium', headless: true }, environment)[0]).toBe(
      `${root}/chromium-headless-156.0.2/run`,
    )
    expect(kitsFor('chromium', true)).toEqual([
      'chromium-headless-156.0.2/run',
      'chromium-headless-9.0/run',
      'chromium-99.0.1/run',
    ])
    expect(kitsFor('chromium', false)).toEqual(['chromium-99.0.1/run'])
    expect(kitsFor('firefox', true)).toEqual(['firefox-1.0/run'])
    expect(kitsFor('chrome', true)).toEqual([])
  })
  test('with windows there is no shell; Chrome and Edge stand in for Chromium, and only themselves when named', () => {
    const headedPaths = candidatePaths({ browser: 'chromium', headless: false }, linux)
    expect(headedPaths.join()).not.toContain('shell')
    expect(headedPaths).toEqual(expect.arrayContaining(['/usr/bin/google-chrome', '/usr/bin/microsoft-edge']))
    expect(candidatePaths({ browser: 'msedge', headless: true }, linux).join()).not.toContain('google')
  })
  test('the usual places of macOS and Windows', () => {
    const mac = candidatePaths({ browser: 'firefox', headless: true }, { ...linux, platform: 'darwin' })
    expect(mac).toEqual([
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      '/home/me/Applications/Firefox.app/Contents/MacOS/firefox',
    ])
    const windows = candidatePaths(
      { browser: 'chrome', headless: true },
      { ...linux, platform: 'win32', env: { PROGRAMFILES: 'C:/Program Files' } },
    )
    expect(windows).toEqual(['C:/Program Files/Google/Chrome/Application/chrome.exe'])
  })
})
