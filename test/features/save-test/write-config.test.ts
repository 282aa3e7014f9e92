import { expect, test } from 'bun:test'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import {
  secretsOfServer,
  writeConfig,
  writeWebServerHint,
} from '../../../src/features/save-test/code/write-config.ts'

const server = {
  command: "npm run dev -- --title 'x'",
  url: 'http://localhost:3000',
  env: { PORT: '3000', 'my-flag': 'a' },
  cwd: 'packages/app',
}

test('a configuration with a server', () => {
  expect(writeConfig(server, { testDir: './tests', use: { testIdAttribute: 'data-qa' } }).text).toBe(
    `import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './tests',
  use: {
    baseURL: 'http://localhost:3000',
    trace: 'on-first-retry',
    testIdAttribute: 'data-qa',
  },
  webServer: {
    command: "npm run dev -- --title 'x'",
    url: 'http://localhost:3000',
    reuseExistingServer: !process.env.CI,
    env: { PORT: '3000', 'my-flag': 'a' },
    cwd: 'packages/app',
  },
});
`,
  )
})

test('a server whose command has to be asked to end it', () => {
  expect(writeConfig({ ...server, needsSignal: true }, { testDir: '.' }).text).toContain(
    "    reuseExistingServer: !process.env.CI,\n    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },\n",
  )
})

test('a configuration without a server', () => {
  expect(writeConfig(undefined, { testDir: '.' }).text).toBe(`import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  use: {
    trace: 'on-first-retry',
  },
});
`)
})

test('what an existing configuration needs', () => {
  expect(writeWebServerHint({ command: 'npm start', url: 'http://localhost:3000/app', env: {} }).text).toBe(
    `use: { baseURL: 'http://localhost:3000' },
webServer: {
  command: 'npm start',
  url: 'http://localhost:3000/app',
  reuseExistingServer: !process.env.CI,
},
`,
  )
})

test('secrets of the command and of its variables are variables of the tests', () => {
  const token = 'ghp_016C7pHXWmZ2pXs9LrT4vKd8HbQe5y3NnUaJ'
  const secretServer = {
    command: `API_TOKEN=${token} npm run dev -- --key declared-7 --pass hunter2`,
    url: 'http://localhost:3000',
    env: { PORT: '3000', DB_PASSWORD: 'hunter2', GITHUB: token, MODE: 'test', EMPTY_SECRET: '' },
  }
  const { findValues } = createRedactor()
  const secrets = secretsOfServer(secretServer, new Map([['OWN_KEY', 'declared-7']]), findValues)
  const { text, environment } = writeConfig(secretServer, { testDir: '.' }, secrets)
  expect(text).toContain(
    'command: `API_TOKEN=${process.env.GITHUB} npm run dev -- --key ${process.env.OWN_KEY} --pass ${process.env.DB_PASSWORD}`,',
  )
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    "PORT: '3000', DB_PASSWORD: process.env.DB_PASSWORD!, GITHUB: process.env.GITHUB!, MODE: 'test', EMPTY_SECRET: ''",
  )
  expect(environment.toSorted()).toEqual(['DB_PASSWORD', 'GITHUB', 'OWN_KEY'])
  expect(writeWebServerHint(secretServer, secrets).text).not.toMatch(/hunter2|ghp_|declared-7/)
})

test('a server with a certificate of its own, that starts slowly, or has no address that is ready; types without those of Node', () => {
  const secure = { command: 'x', url: 'https://localhost:3000/a/', env: {}, ignoreHTTPSErrors: true }
  const { text } = writeConfig({ ...secure, timeout: 120_000 }, { testDir: '.', declaresProcess: true })
  expect(text).toContain('declare const process: { env: { CI?: string } };')
  expect(text).toContain("baseURL: 'https://localhost:3000',\n    ignoreHTTPSErrors: true,")
  expect(text).toContain(
    "url: 'https://localhost:3000/a/',\n    ignoreHTTPSErrors: true,\n    timeout: 120_000,",
  )
  expect(writeWebServerHint({ ...secure, isPortOnly: true }).text).toContain('port: 3000,')
  const elsewhere = {
    command: 'x',
    url: 'http://localhost:4000/health',
    baseUrl: 'http://localhost:3000',
    env: {},
  }
  expect(writeConfig(elsewhere, { testDir: '.' }).text).toContain("baseURL: 'http://localhost:3000'")
})
