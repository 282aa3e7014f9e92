// The reporter that runs within the project's own Playwright Test. Its text is written to a file, so it uses nothing from outside of it,
// and only what the public interface of every version since 1.50 has.

import type { RunEvent } from './run-event.ts'

export interface ReporterSettings {
  /** The file that gets one event a line. */
  readonly events: string
  /** The command line program of the project's Playwright Test. */
  readonly program: string
}

interface TestCase {
  readonly id: string
  readonly retries: number
  readonly location: Location
  titlePath(): readonly string[]
  outcome(): 'expected' | 'unexpected' | 'flaky' | 'skipped'
}

interface Location {
  readonly file: string
  readonly line: number
}

interface TestError {
  readonly message?: string
  readonly value?: string
  readonly location?: Location
}

interface TestResult {
  readonly status: string
  readonly duration: number
  readonly errors: readonly TestError[]
  readonly attachments: readonly { readonly name: string; readonly path?: string; readonly body?: Buffer }[]
  readonly stdout: readonly (string | Buffer)[]
  readonly stderr: readonly (string | Buffer)[]
}

interface WebServer {
  readonly url?: string
  readonly port?: number
}

interface ProjectOptions {
  readonly baseURL?: string
  readonly browserName?: string
  readonly defaultBrowserType?: string
  readonly connectOptions?: unknown
  readonly launchOptions?: { readonly executablePath?: string; readonly channel?: string }
  readonly channel?: string
}

interface Configuration {
  readonly projects: readonly {
    readonly name: string
    readonly testDir?: string
    readonly use?: ProjectOptions
  }[]
  readonly webServer?: WebServer | null
}

/** Returns the class of the reporter, as a function. */
export function createReporterType(load: NodeJS.Require, settings: ReporterSettings): () => object {
  const { appendFileSync, existsSync } = load('node:fs') as typeof import('node:fs')
  const { createRequire } = load('node:module') as typeof import('node:module')
  const { stdout } = load('node:process') as typeof import('node:process')
  const MESSAGE_LIMIT_CHARS = 6000
  const OUTPUT_LIMIT_CHARS = 4000
  const LISTED_TEST_LIMIT = 50
  // The line on stdout has no content: it says that the file has a new one.
  const report = (event: RunEvent) => {
    appendFileSync(settings.events, `${JSON.stringify(event)}\n`)
    stdout.write('.\n')
  }
  const toError = ({ message, value, location }: TestError) => ({
    message: (message ?? value ?? '').slice(0, MESSAGE_LIMIT_CHARS),
    file: location?.file,
    line: location?.line,
  })
  const namesOf = (test: TestCase) => test.titlePath().slice(1)
  const titleOf = (test: TestCase) => namesOf(test).slice(2).join(' › ')
  const positionOf = (test: TestCase) => ({
    title: titleOf(test),
    project: namesOf(test)[0] ?? '',
    file: test.location.file,
    line: test.location.line,
  })
  const findProgram = (browser: string) => {
    const playwright = createRequire(settings.program).resolve('playwright/package.json')
    const core = createRequire(playwright)('playwright-core') as Record<
      string,
      { executablePath?: () => string }
    >
    return core[browser]?.executablePath?.() ?? ''
  }
  const findOwnBrowser = (options: ProjectOptions, browser: string) => {
    const { connectOptions, launchOptions = {} } = options
    if (browser === 'chromium' || connectOptions) return undefined
    const isNamed = launchOptions.executablePath ?? launchOptions.channel ?? options.channel
    try {
      return isNamed === undefined ? findProgram(browser) : undefined
    } catch {
      return undefined
    }
  }
  const readProject =
    (tests: readonly TestCase[]) =>
    ({ name, use = {} }: Configuration['projects'][number]) => {
      const browser = use.browserName ?? use.defaultBrowserType ?? 'chromium'
      const program = findOwnBrowser(use, browser)
      const isRunnable = program === undefined || existsSync(program)
      const testCount = tests.filter((test) => namesOf(test)[0] === name).length
      return { name, browser, isRunnable, testCount, program }
    }
  const urlsOf = ({ projects, webServer }: Configuration) => {
    const servers = webServer ? [webServer] : []
    const urls = servers.map(({ url, port }) => url ?? `http://localhost:${port}`)
    return [...urls, ...projects.map(({ use }) => use?.baseURL)].filter((url) => url !== undefined)
  }
  return function Reporter() {
    return {
      // Otherwise another reporter would be added.
      printsToStdio: () => true,
      onBegin(configuration: Configuration, suite: { allTests(): readonly TestCase[] }) {
        const tests = suite.allTests()
        report({
          type: 'begin',
          total: tests.length,
          projects: configuration.projects.map(readProject(tests)),
          tests: tests.slice(0, LISTED_TEST_LIMIT).map(positionOf),
          urls: [...new Set(urlsOf(configuration))],
          testDirs: [...new Set(configuration.projects.map(({ testDir = '' }) => testDir))],
        })
      },
      onTestBegin: (test: TestCase) => report({ type: 'testBegin', id: test.id, title: titleOf(test) }),
      onTestEnd(test: TestCase, result: TestResult) {
        const texts = [...result.stdout, ...result.stderr].map(String)
        report({
          type: 'testEnd',
          id: test.id,
          ...positionOf(test),
          outcome: test.outcome(),
          status: result.status,
          duration: result.duration,
          errors: result.errors.map(toError),
          attachments: result.attachments.map(({ name, path, body }) => ({
            name,
            path,
            ...(name === 'error-context' && body && { body: String(body).slice(0, 50_000) }),
          })),
          output: texts.join('').slice(-OUTPUT_LIMIT_CHARS),
        })
      },
      onStdOut: (chunk: string | Buffer, test?: TestCase) =>
        test || report({ type: 'output', text: String(chunk).slice(-OUTPUT_LIMIT_CHARS) }),
      onStdErr: (chunk: string | Buffer, test?: TestCase) =>
        test || report({ type: 'output', text: String(chunk).slice(-OUTPUT_LIMIT_CHARS) }),
      onError: (error: TestError) => report({ type: 'error', ...toError(error) }),
      onEnd: ({ status, duration = 0 }: { status: string; duration?: number }) =>
        report({ type: 'finish', status, duration }),
    }
  }
}
