import { expect, test } from 'bun:test'
import { findRunningBrowsers } from '../../../src/features/attach/running-browsers.ts'

const files = (entries: Record<string, [string, number]>) => (path: string) => {
  const [text, writtenAt] = entries[path] ?? []
  return text === undefined || writtenAt === undefined ? undefined : { text, writtenAt }
}
const linux = { platform: 'linux', env: {}, home: '/home/ada' } as const

test('the browser that was started last comes first; files of another form are ignored', () => {
  const read = files({
    '/home/ada/.config/google-chrome/DevToolsActivePort': ['9222\n/devtools/browser/aa-1', 1],
    '/home/ada/.config/chromium/DevToolsActivePort': ['40111\n/devtools/browser/bb-2\n', 2],
    '/home/ada/.config/microsoft-edge/DevToolsActivePort': ['9222\n@evil.example/', 3],
  })
  const chrome = 'ws://127.0.0.1:9222/devtools/browser/aa-1'
  const chromium = 'ws://127.0.0.1:40111/devtools/browser/bb-2'
  expect(findRunningBrowsers(undefined, linux, read)).toEqual([chromium, chrome])
  expect(findRunningBrowsers('chrome', linux, read)).toEqual([chrome])
  expect(findRunningBrowsers('msedge', linux, read)).toEqual([])
})

test('the folders of each system', () => {
  const paths: string[] = []
  const note = (path: string) => void paths.push(path)
  findRunningBrowsers('chrome', { platform: 'darwin', env: {}, home: '/Users/ada' }, note as never)
  findRunningBrowsers('chromium', { ...linux, env: { XDG_CONFIG_HOME: '/cfg' } }, note as never)
  findRunningBrowsers('msedge', { platform: 'win32', env: { LOCALAPPDATA: '/L' }, home: '/' }, note as never)
  expect(paths).toContain('/Users/ada/Library/Application Support/Google/Chrome/DevToolsActivePort')
  expect(paths).toContain('/cfg/chromium/DevToolsActivePort')
  expect(paths).toContain('/L/Microsoft/Edge/User Data/DevToolsActivePort')
})
