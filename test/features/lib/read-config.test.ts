import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/features/lib/test-files/read-config.ts'
import { splitCode } from '../../../src/features/lib/test-files/split-code.ts'

const none = { hasWebServer: false, hasBaseUrl: false, testDirs: [] }
const config = (text: string) =>
  readConfig(`import { defineConfig } from '@playwright/test';\nexport default defineConfig(${text});`)

test('comments, strings and regular expressions have no fields', () => {
  expect(
    config(`{
    testDir: './e2e', // webServer: 'a'
    /* webServer: {}, baseURL: 'x' */
    testMatch: /.*\\/\\/ webServer: \\.[/'"]ts/, grep: [/"/, /webServer/],
    reporter: [['html', { title: 'webServer: { // baseURL: ' }], [\`\${1 + \`webServer: \${'}'}\`.length} baseURL: \`]],
    use: { trace: 'on-first-retry' /* , baseURL: 'http://a' */ },
    // webServer: {
    //   command: 'npm run start',
    // },
  }`),
  ).toEqual({ ...none, testDirs: ['./e2e'] })
})

test.each([
  [`{ webServer: { command: 'x' } }`],
  [`{ webServer: [a, b] }`],
  [`{ 'webServer': process.env.CI ? undefined : {} }`],
  [`{ webServer }`],
  [`Object.assign(base, { ratio: 4 / 2 }, { webServer: server() })`],
  [`{ ratio: (4) / 2, b: 1 / 2, webServer: [...servers] }`],
])('%s starts a server', (text) => {
  expect(config(text).hasWebServer).toBe(true)
  expect(config(text).hasBaseUrl).toBe(true)
})

test.each([
  [`{ webServer: undefined }`],
  [`{ myWebServer: {}, webServers: [], use: { notwebServer: 1 } }`],
  [`{}`],
  [`{ name: 'webServer' }`],
])('%s starts none', (text) => expect(config(text)).toEqual(none))

test('an assignment counts', () => {
  expect(readConfig(`const config = {}\nconfig.webServer = { command: 'x' }\nexport default config`)).toEqual(
    {
      ...none,
      hasWebServer: true,
      hasBaseUrl: true,
    },
  )
})

test('the folders of all tests, or nothing', () => {
  const dirs = (text: string) => config(text).testDirs
  expect(dirs(`{ testDir: "e2e", projects: [{ testDir: 'smoke' }, { name: 'b' }] }`)).toEqual([
    'e2e',
    'smoke',
  ])
  expect(dirs(`{ testDir: path.join(__dirname, 'e2e') }`)).toBeUndefined()
  expect(dirs(`{ ...base, testDir: 'e2e' }`)).toBeUndefined()
  expect(
    dirs(`{ testDir: 'e2e', projects: [{ name: 'a', use: { ...devices['Desktop Chrome'] } }] }`),
  ).toEqual(['e2e'])
  expect(
    readConfig(`import base from './base'\nexport default defineConfig(base, {})`).testDirs,
  ).toBeUndefined()
})

test('strings have their text without escapes', () => {
  expect(splitCode(String.raw`a('it\'s', "\\", ${'`b${c({})}d`'}) / 2 // e`)).toEqual({
    code: 'a("0", "1", "2"+(c({}))+"3") / 2 ',
    strings: ["it's", '\\', 'b', 'd'],
  })
})
