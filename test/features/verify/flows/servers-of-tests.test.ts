// What the server runs that the project's own configuration of Playwright starts, or the command of `footlight verify --ci`.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { reservePort } from '../../../support/reserve-port.ts'
import { openShell, type Shell } from '../../../support/shell.ts'
import { edit, git } from '../../../support/small-shop.ts'
import { createTestProject, type TestProject } from '../../../support/test-project.ts'

const server = `import { createServer } from 'node:http'
import { audit } from './audit.mjs'
import { price } from './price.mjs'
createServer((request, response) => {
  if (request.url === '/') {
    response.setHeader('content-type', 'text/html')
    response.end('<button onclick="fetch(\\'/price\\').then((one) => one.text()).then((text) => (state.textContent = text))">Price</button><p id=state>')
  } else response.end(request.url === '/price' ? price(2) : audit(2))
}).listen(process.env.PORT, '127.0.0.1')
`
const price = `export function price(count) {
  if (count > 9) {
    return 'bulk'
  }
  return \`\${count * 3} EUR\`
}
`
const audit = `export function audit(count) {
  return \`\${count} entries\`
}
export const unused = (count) => {
  return count + 1
}
`
const tests = {
  'tests/price.spec.mjs': `import { expect, test } from '@playwright/test'
import { unused } from '../audit.mjs'
test('a page', async ({ page }) => {
  expect(unused(1)).toBe(2)
  await page.goto('/')
  await page.click('button')
  await expect(page.locator('#state')).toHaveText(/EUR/)
})
`,
  'tests/audit.spec.mjs': `import { expect, test } from '@playwright/test'
test('a request', async ({ request }) => {
  expect(await (await request.get('/audit')).text()).toContain('2 entries')
})
`,
}

let project: TestProject
let shell: Shell
let url: string
const configure = (webServer: string) =>
  project.write({
    'playwright.config.mjs': `export default { testDir: 'tests', workers: 1, use: { baseURL: '${url}' }, ${webServer} }\n`,
  })
beforeAll(async () => {
  const port = await reservePort()
  url = `http://127.0.0.1:${port}`
  project = createTestProject({
    '.gitignore': 'node_modules\n.footlight\nplaywright.config.mjs\n',
    'server.mjs': server.replace('process.env.PORT', String(port)),
    'price.mjs': price,
    'audit.mjs': audit,
    ...tests,
  })
  git(project.folder, 'init', '--quiet', '--initial-branch', 'main')
  git(project.folder, 'add', '.')
  git(project.folder, 'commit', '--quiet', '--message', 'first')
})
afterAll(() => project.remove())
beforeEach(() => void (shell = openShell()))
afterEach(async () => {
  await shell.close()
  rmSync(join(project.folder, '.footlight'), { recursive: true, force: true })
  git(project.folder, 'checkout', '--quiet', '.')
})

const verify = (...words: readonly string[]) =>
  shell.runWith({ cwd: project.folder }, 'verify', '--ci', ...words)
const webServer = (reuse: boolean) =>
  `webServer: { command: 'node server.mjs', url: '${url}', reuseExistingServer: ${reuse} }`

test('with the server of the configuration, the lines that pages and requests of tests run in it have run', async () => {
  configure(webServer(true))
  edit(project.folder, 'price.mjs', 'count * 3', 'count * 4')
  edit(project.folder, 'price.mjs', 'bulk', 'many')
  edit(project.folder, 'audit.mjs', '} entries', '} entries now')
  edit(project.folder, 'audit.mjs', 'count + 1', '1 + count')
  const { out, code } = await verify()
  expect(out).toContain('| `audit.mjs` | `2` |  | `5` |  | `tests/audit.spec.mjs` in `test`')
  expect(out).toContain('| `price.mjs` | `5` |  | `3` |  | `tests/price.spec.mjs` in `test`')
  expect(code).toBe(5)
}, 180_000)

test('--command starts a server for a configuration without one, and ends it', async () => {
  configure('')
  edit(project.folder, 'price.mjs', 'count * 3', 'count * 4')
  const refused = await verify()
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('## verify: FAIL') })
  expect(refused.err).toContain('ERR_CONNECTION_REFUSED')
  const { out, code } = await verify('--command', 'node server.mjs')
  expect(out).toContain('| `price.mjs` | `5` |  |  |  | `tests` in `default`')
  expect(code).toBe(0)
  expect(await verify('--command=false')).toMatchObject({
    code: 1,
    out: expect.stringContaining('SERVER_START_FAILED'),
  })
}, 180_000)

test('why the tests could not run is said, beside the verdict or in it', async () => {
  configure(webServer(false))
  edit(project.folder, 'price.mjs', 'count * 3', 'count * 4')
  const { out, code } = await verify('--command', 'node server.mjs')
  expect(out).toContain('## verify: UNVERIFIED')
  expect(out).toContain('is already used')
  expect(code).toBe(5)
}, 180_000)
