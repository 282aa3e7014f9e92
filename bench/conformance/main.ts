// `bun bench/conformance/main.ts [NAME...]`: the conformance suite of the protocol on Footlight's executable and on its peers, without the fixtures of the
// suite. chrome-devtools-mcp has no HTTP, so it is reached through a bridge, whose transport is what the suite then sees.

import { join } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { conform, type ConformanceRun, installSuite } from '../../test/release/conformance/suite.ts'
import { serveOverHttp } from '../../test/support/http.ts'
import { type Trace, trace, until } from '../../test/support/leftovers.ts'
import { versions } from '../peers.ts'
import { bridgeToHttp } from './http-bridge.ts'

const SUITE_TIMEOUT_MS = 600_000

interface Served {
  readonly url: string
  close(): Promise<unknown>
}

const { path: executablePath = '' } = findExecutable({ browser: 'chromium', headless: true })
const isRoot = process.getuid?.() === 0
const fetched = installSuite(
  `@playwright/mcp@${versions['@playwright/mcp']}`,
  `chrome-devtools-mcp@${versions['chrome-devtools-mcp']}`,
)
const modules = join(fetched.folder, 'node_modules')

const contenders: Readonly<Record<string, () => Promise<Served>>> = {
  async footlight() {
    const { url, close } = await serveOverHttp(['--rate-limit', '100000'])
    return { url: String(url), close }
  },
  '@playwright/mcp': servePlaywrightMcp,
  'chrome-devtools-mcp': serveDevtoolsMcp,
}

const wanted = process.argv.slice(2)
const isWanted = ([name]: readonly [string, unknown]): boolean => wanted.length === 0 || wanted.includes(name)
console.log(
  '| server | revision | checks passed | failed | scenarios passed | of |\n| --- | --- | --- | --- | --- | --- |',
)
try {
  for (const [name, serve] of Object.entries(contenders).filter(isWanted))
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      const server = await serve()
      try {
        console.log(rowOf(name, revision, await conform(fetched, server.url, revision, SUITE_TIMEOUT_MS)))
      } finally {
        await server.close()
      }
    }
} finally {
  fetched.remove()
}

// --- internal ---

function rowOf(name: string, revision: string, { scenarios }: ConformanceRun): string {
  const checks = [...scenarios.values()]
  const count = (wanted: string) => checks.flat().filter(({ status }) => status === wanted).length
  const passedScenarios = checks.filter(
    (all) =>
      all.some(({ status }) => status === 'SUCCESS') && all.every(({ status }) => status !== 'FAILURE'),
  )
  const cells = [name, revision, count('SUCCESS'), count('FAILURE'), passedScenarios.length, checks.length]
  return `| ${cells.join(' | ')} |`
}

async function servePlaywrightMcp(): Promise<Served> {
  const left = trace()
  const cli = join(modules, '@playwright/mcp/cli.js')
  const browser = ['--headless', '--isolated', '--executable-path', executablePath]
  const listen = ['--host', '127.0.0.1', '--port', '0', ...(isRoot ? ['--no-sandbox'] : [])]
  const child = Bun.spawn(['node', cli, ...browser, ...listen], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...left.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    void (async () => {
      for await (const chunk of stream) output += new TextDecoder().decode(chunk)
    })()
  const address = () => /http:\/\/[\w.]+:\d+/.exec(output)?.[0]
  if (!(await until(() => address() !== undefined))) throw new Error(`@playwright/mcp: ${output}`)
  return {
    url: `${address()}/mcp`,
    async close() {
      child.kill()
      await child.exited
      await endAll(left)
    },
  }
}

async function serveDevtoolsMcp(): Promise<Served> {
  const left = trace()
  const program = join(modules, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js')
  const browser = ['--headless', '--isolated', '--executablePath', executablePath, '--no-usage-statistics']
  const { url, close } = await bridgeToHttp({
    command: 'node',
    args: [program, ...browser, ...(isRoot ? ['--chromeArg=--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ...left.env },
  })
  return {
    url,
    async close() {
      await close()
      await endAll(left)
    },
  }
}

// What a peer leaves is not counted here.
async function endAll(left: Trace): Promise<void> {
  for (const { pid } of left.processes())
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself meanwhile
    }
  await left.expectNothing().catch(() => {})
}
