import { expect, test } from 'bun:test'
import manifest from '../../../../package.json' with { type: 'json' }
import { installCommand, installCommandFor } from '../../../../src/core/browser/process/install-command.ts'

test.each([
  ['chromium', 'linux', true, ['apt-get'], 'apt-get install -y chromium'],
  ['firefox', 'linux', false, ['dnf'], 'sudo dnf install -y firefox'],
  ['chrome', 'linux', true, ['apt-get'], 'npx -y playwright@1 install chrome'],
  ['chromium', 'linux', true, [], 'npx -y playwright@1 install chromium --only-shell'],
  ['webkit', 'linux', true, ['apt-get'], 'npx -y playwright@1 install webkit'],
  ['firefox', 'darwin', false, [], 'brew install --cask firefox'],
  ['chromium', 'win32', false, [], 'winget install --exact --id Google.Chrome'],
] as const)('%s on %s: the exact next command', (browser, platform, isRoot, packageManagers, command) => {
  expect(installCommand(browser, { platform, isRoot, packageManagers }, '1')).toBe(command)
})

test('WebKit, which no system has, is the build of the Playwright that is used here', () => {
  expect(installCommandFor('webkit')).toBe(
    `npx -y playwright@${manifest.dependencies.playwright} install webkit`,
  )
})
