import { expect, test } from 'bun:test'
import { writeConfig, writeWebServerHint } from '../../../src/core/test-code/write-config.ts'

const server = {
  command: "npm run dev -- --title 'x'",
  url: 'http://localhost:3000',
  env: { PORT: '3000', 'my-flag': 'a', DB_PASSWORD: 'hunter2' },
  cwd: 'packages/app',
}

test('a configuration with a server', () => {
  expect(writeConfig(server, { testDir: './tests', use: { testIdAttribute: 'data-qa' } })).toBe(
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

test('a configuration without a server', () => {
  expect(writeConfig(undefined, { testDir: '.' })).toBe(`import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  use: {
    trace: 'on-first-retry',
  },
});
`)
})

test('what an existing configuration needs', () => {
  expect(writeWebServerHint({ command: 'npm start', url: 'http://localhost:3000/app', env: {} })).toBe(
    `use: { baseURL: 'http://localhost:3000' },
webServer: {
  command: 'npm start',
  url: 'http://localhost:3000/app',
  reuseExistingServer: !process.env.CI,
},
`,
  )
})
