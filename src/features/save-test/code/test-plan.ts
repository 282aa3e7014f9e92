// Everything that a test is written from.

import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'

/** Options of `test.use`, by their names in Playwright Test: `viewport`, `locale`, `colorScheme`, `storageState`. */
export type TestOptions = Readonly<Record<string, unknown>>

/** Passkeys, whose signature counters a site may have seen, and session storage, which Playwright does not restore. */
export interface StateParts {
  readonly hasPasskeys: boolean
  readonly hasSessionStorage: boolean
}

export interface TestPlan {
  readonly title: string
  /** In order, with checks after what they check. The first locator of an element is the one to use. */
  readonly steps: readonly RecordedStep[]
  /** The origin of the dev server: URLs below it are relative to `baseURL`. */
  readonly origin?: string
  readonly options: TestOptions
  /** What the state in the options has that the test has to prepare. */
  readonly stateParts?: StateParts
  /** Values that must not stand in a test, by the name of the environment variable that has each. */
  readonly secrets: ReadonlyMap<string, string>
  /** Hides what looks like a secret in a text of the test. */
  readonly redact?: (text: string) => string
  /** Paths of uploaded files, relative to the folder of the test, by the path in the recording. */
  readonly files: ReadonlyMap<string, string>
  /** Whether the type checker of the project does not know `process`. */
  readonly declaresProcess?: boolean
}

/** How a server is started, for the `webServer` block of a configuration. */
export interface WebServer {
  readonly command: string
  /** An address at which Playwright takes it as ready. */
  readonly url: string
  /** The address of its pages, if that is another origin. */
  readonly baseUrl?: string
  /** Whether there is no such address, so that its port has to do. */
  readonly isPortOnly?: boolean
  /** Whether its certificate is not trusted. */
  readonly ignoreHTTPSErrors?: boolean
  /** Milliseconds until it is ready, if the default does not suffice. */
  readonly timeout?: number
  /** Whether it has processes that end only if its command is asked to end them. */
  readonly needsSignal?: boolean
  readonly env: Readonly<Record<string, string>>
  /** Relative to the folder of the configuration; omitted if it is the same. */
  readonly cwd?: string
}
