// What the makers of the protocol ask of a server: their conformance suite, all of it on our transport with the suite's own fixtures
// behind it, and on the binary all that asks for no fixture.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { serveOverHttp } from '../support/http.ts'
import { trace, until } from '../support/leftovers.ts'
import { install, type Fetched } from '../support/npm.ts'

// What any server can do. Not here, of those that name no fixture: logging-set-level, because logging is not among our capabilities,
// our logs being resources that a client may read and watch.
const general = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]
// A subscription is to test://watched-resource, so that it needs a fixture too.
const withFixtures = [
  'logging-set-level',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]
// Those that the suite itself does not count yet.
const pending = ['json-schema-2020-12', 'server-sse-polling']

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

interface Run {
  readonly status: number | null
  /** The checks of each scenario, by its name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>
}

let fetched: Fetched
// It needs Node 22; the newer Node comes as a package of this platform.
const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
beforeAll(() => {
  fetched = install('@modelcontextprotocol/conformance@0.1.16', `${node}@24.21.0`)
}, 200_000)
afterAll(() => fetched.remove())

async function conform(url: string, suite: string): Promise<Run> {
  const modules = join(fetched.folder, 'node_modules')
  const left = trace()
  const results = join(left.folder, 'results')
  const failures = join(left.folder, 'failures.yml')
  writeFileSync(failures, 'server: []\n')
  const child = Bun.spawn(
    [
      join(modules, node, 'bin/node'),
      join(modules, '@modelcontextprotocol/conformance/dist/index.js'),
      'server',
      '--url',
      url,
      '--suite',
      suite,
      '--expected-failures',
      failures,
      '--output-dir',
      results,
    ],
    {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      cwd: left.folder,
      env: { ...process.env, ...left.env },
      timeout: 60_000,
    },
  )
  const errors = await new Response(child.stderr).text()
  const status = await child.exited
  const names = existsSync(results) ? readdirSync(results) : []
  const scenarios = new Map(
    names.map((name) => [
      /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name,
      JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  )
  rmSync(results, { recursive: true, force: true })
  rmSync(failures)
  await left.expectNothing()
  if (scenarios.size === 0) throw new Error(`the suite did not run: ${errors}`)
  return { status, scenarios }
}

/** Why a scenario does not pass: nothing, where all goes well. One that checked nothing does not pass either. */
function faults({ scenarios }: Run, scenario: string): string[] {
  const checks = scenarios.get(scenario) ?? []
  const bad = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
  if (bad.length === 0 && !checks.some(({ status }) => status === 'SUCCESS')) return ['nothing was checked']
  return bad.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage}`)
}

describe('the binary conforms', () => {
  let run: Run
  beforeAll(async () => {
    // The suite asks for more in a minute than one client may.
    const server = await serveOverHttp(['--rate-limit', '100000'])
    try {
      run = await conform(String(server.url), 'active')
    } finally {
      expect(await server.close()).toBe(0)
    }
  }, 90_000)

  test.each(general)('%s', (scenario) => expect(faults(run, scenario)).toEqual([]))
})

describe("the transport conforms, with the suite's fixtures behind it", () => {
  let active: Run
  let others: Run
  let errors = ''
  beforeAll(async () => {
    const left = trace()
    const server = Bun.spawn([process.execPath, resolve(import.meta.dir, '../conformance/server.ts')], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, ...left.env },
    })
    let said = ''
    const reading = Promise.all([
      (async () => {
        for await (const chunk of server.stdout) said += new TextDecoder().decode(chunk)
      })(),
      (async () => {
        for await (const chunk of server.stderr) errors += new TextDecoder().decode(chunk)
      })(),
    ])
    try {
      if (!(await until(() => said.endsWith('\n') || server.exitCode !== null, 20_000)))
        throw new Error(`the server did not come up: ${errors}`)
      active = await conform(said.trim(), 'active')
      others = await conform(said.trim(), 'pending')
    } finally {
      server.kill('SIGTERM')
      await left.expectNothing()
      await reading
    }
    expect(await server.exited).toBe(0)
  }, 180_000)

  test('by the verdict of the suite, which runs no scenario that is not listed here', () => {
    expect([...active.scenarios.keys()].sort()).toEqual([...general, ...withFixtures].sort())
    expect([...others.scenarios.keys()].sort()).toEqual(pending)
    expect(active.status).toBe(0)
    expect(errors).toBe('')
  })
  test.each([...general, ...withFixtures])('%s', (scenario) => expect(faults(active, scenario)).toEqual([]))
  test('json-schema-2020-12', () => expect(faults(others, 'json-schema-2020-12')).toEqual([]))
  // It asks for what 2025-11-25 brought, as a client of 2025-03-26 who must not be sent it: hence the warnings, and no more than them.
  test('server-sse-polling', () =>
    expect(faults(others, 'server-sse-polling').map((fault) => fault.split(':')[0])).toEqual([
      'WARNING server-sse-priming-event',
      'WARNING server-sse-retry-field',
    ]))
})
