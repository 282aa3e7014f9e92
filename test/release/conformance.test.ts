// What the makers of the protocol ask of a server: their conformance suite, all of it on our transport with the suite's own fixtures
// behind it, and on the binary all that asks for no fixture.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import process from 'node:process'
import { serveOverHttp } from '../support/http.ts'
import { trace, until } from '../support/leftovers.ts'
import type { Fetched } from '../support/npm.ts'
import { conform, type ConformanceRun, installSuite, type Revision } from './conformance/suite.ts'

// What any server can do. Not here, of those that name no fixture: logging-set-level, completion-complete and prompts-list, because logging, prompts and
// completions are not among our capabilities; our logs are resources that a client may read and watch.
const general: Record<Revision, readonly string[]> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
}
// Of server-stateless: checks that call a tool of the suite.
const diagnosticChecks = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]
// What the suite runs without counting it: an extension that is not served, and tools that read HTTP headers.
const isUncounted = (scenario: string): boolean =>
  scenario.startsWith('tasks-') || scenario === 'http-custom-header-server-validation'

let fetched: Fetched
beforeAll(() => {
  fetched = installSuite()
}, 300_000)
afterAll(() => fetched.remove())

// Keywords that only the newer revision has, lists that do not change, and a resource where no session is open.
const isSkippable = (id: string): boolean =>
  id === 'sep-2549-resources-read-caching-hints' ||
  id.startsWith('sep-2106-') ||
  /^sep-2575-server-sends-\w+-list-changed-on-subscription$/.test(id)

/** Why a scenario does not pass: nothing, where all goes well. One that checked nothing does not pass either. */
function faults({ scenarios }: ConformanceRun, scenario: string): string[] {
  const checks = scenarios.get(scenario) ?? []
  const bad = checks.filter(
    ({ id, status }) => !['SUCCESS', 'INFO'].includes(status) && !(status === 'SKIPPED' && isSkippable(id)),
  )
  if (bad.length === 0 && !checks.some(({ status }) => status === 'SUCCESS')) return ['nothing was checked']
  return bad.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage}`)
}

describe('the binary conforms', () => {
  const runs = new Map<Revision, ConformanceRun>()
  beforeAll(async () => {
    // The suite asks for more in a minute than one client may.
    const server = await serveOverHttp(['--rate-limit', '100000'])
    try {
      for (const revision of ['2025-11-25', '2026-07-28'] as const)
        runs.set(revision, await conform(fetched, String(server.url), revision))
    } finally {
      expect(await server.close()).toBe(0)
    }
  }, 150_000)

  const faultsOf = (revision: Revision, scenario: string) =>
    faults(runs.get(revision) ?? { status: null, scenarios: new Map() }, scenario)
  test.each(general['2025-11-25'])('2025-11-25 %s', (scenario) =>
    expect(faultsOf('2025-11-25', scenario)).toEqual([]),
  )
  test.each(general['2026-07-28'])('2026-07-28 %s', (scenario) =>
    expect(faultsOf('2026-07-28', scenario)).toEqual([]),
  )
  test('2026-07-28 server-stateless, except for what needs a tool of the suite', () => {
    const checks = runs.get('2026-07-28')?.scenarios.get('server-stateless') ?? []
    const failures = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
    expect(failures.sort()).toEqual(diagnosticChecks.toSorted())
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(20)
  })
})

describe("the transport conforms, with the suite's fixtures behind it", () => {
  const runs = new Map<Revision, ConformanceRun>()
  let errors = ''
  beforeAll(async () => {
    const left = trace()
    const server = Bun.spawn([process.execPath, resolve(import.meta.dir, './conformance/server.ts')], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, ...left.env },
    })
    let said = ''
    let reports = ''
    const reading = Promise.all([
      (async () => {
        for await (const chunk of server.stdout) said += new TextDecoder().decode(chunk)
      })(),
      (async () => {
        for await (const chunk of server.stderr) reports += new TextDecoder().decode(chunk)
      })(),
    ])
    try {
      if (!(await until(() => said.endsWith('\n') || server.exitCode !== null)))
        throw new Error(`the server did not come up: ${reports}`)
      runs.set('2025-11-25', await conform(fetched, said.trim(), '2025-11-25'))
      // The other revision has scenarios with wrong requests, which are reported.
      errors = reports
      runs.set('2026-07-28', await conform(fetched, said.trim(), '2026-07-28'))
    } finally {
      server.kill('SIGTERM')
      await left.expectNothing()
      await reading
    }
    expect(await server.exited).toBe(0)
  }, 300_000)

  test.each(['2025-11-25', '2026-07-28'] as const)('%s, by the verdict of the suite', (revision) => {
    const run = runs.get(revision) ?? { status: null, scenarios: new Map() }
    const scenarios = [...run.scenarios.keys()].filter((scenario) => !isUncounted(scenario))
    expect(scenarios.length).toBeGreaterThanOrEqual(revision === '2025-11-25' ? 30 : 37)
    expect(
      scenarios.flatMap((scenario) => faults(run, scenario).map((fault) => `${scenario}: ${fault}`)),
    ).toEqual([])
    expect(run.status).toBe(0)
  })
  test('no valid request is reported as an error', () => expect(errors).toBe(''))
})
