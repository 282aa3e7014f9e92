// What a test is written from, besides its steps: the session that was recorded.

import { dirname, relative } from 'node:path'
import type { Secrets } from '../../../core/base/redaction/secret-placeholders.ts'
import type { OpenSession, SessionRequest } from '../../../core/sessions/types/open-session.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import type { EmulationChange } from '../../emulate/emulation.ts'
import type { StateParts, TestOptions, TestPlan } from '../code/test-plan.ts'

/** The file of the state that a test begins with. Its path is relative to the project, as Playwright reads it. */
export interface SavedState {
  readonly path: string
  readonly parts: StateParts
}

/** What is known of the pages besides their session, and of the project that the test is for. */
export interface PlannedPages {
  /** Of the dev server. */
  readonly origin?: string | undefined
  readonly ignoreHTTPSErrors?: boolean
  /** Whether the configuration of the project names no `baseURL`. */
  readonly setsBaseUrl?: boolean
  readonly declaresProcess?: boolean
}

/** The plan of a test at an absolute path. `state` is the file of the state that the session began with, as the test names it; `resolvePath` makes the paths of a client absolute. */
export function planTest(
  title: string,
  steps: readonly RecordedStep[],
  path: string,
  { request }: Pick<OpenSession, 'request'>,
  { origin, ignoreHTTPSErrors, setsBaseUrl, declaresProcess }: PlannedPages,
  secrets: Secrets,
  state: SavedState | undefined,
  resolvePath: (path: string) => string,
): TestPlan {
  const { httpCredentials } = request
  const options = {
    ...(setsBaseUrl && { baseURL: origin }),
    ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }),
    ...optionsOf(request, state?.path),
    ...testIdOptionOf(steps),
  }
  return {
    title,
    steps: [...settingsOf(request, steps), ...steps],
    origin,
    options,
    ...(declaresProcess && { declaresProcess }),
    stateParts: state?.parts,
    secrets: new Map([
      ...secrets,
      ...(httpCredentials ? [['HTTP_PASSWORD', httpCredentials.password] as const] : []),
    ]),
    files: new Map(pathsOf(steps).map((file) => [file, toPosix(relative(dirname(path), resolvePath(file)))])),
  }
}

/** A path of a file as tests and configurations have it. */
export const toPosix = (path: string): string => path.replaceAll('\\', '/')

// --- internal ---

// A session emulates from its start what it was created with.
function settingsOf(request: SessionRequest, [first]: readonly RecordedStep[]): readonly RecordedStep[] {
  const { device, viewport, userAgent, locale, timezone } = request
  const settings = { device, viewport, userAgent, locale, timezone }
  const change = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as EmulationChange
  if (!first || Object.keys(change).length === 0) return []
  return [{ ...first, action: { kind: 'emulate', change }, durationMs: 0 }]
}

function optionsOf(
  { httpCredentials, ignoreHTTPSErrors }: SessionRequest,
  statePath: string | undefined,
): TestOptions {
  return { storageState: statePath, ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }), httpCredentials }
}

// A test finds test ids by the attribute that the session used.
function testIdOptionOf(steps: readonly RecordedStep[]): TestOptions {
  const selectors = steps.flatMap(({ action }) => {
    const element = action.kind === 'check' ? action.check.element : 'element' in action && action.element
    return (element && element.locators[0]?.selector) || []
  })
  const [, attribute] = selectors.map((selector) => TEST_ID.exec(selector)).find((match) => match) ?? []
  return attribute === undefined || attribute === 'data-testid' ? {} : { testIdAttribute: attribute }
}

const TEST_ID = /internal:testid=\[([\w-]+)=/

const pathsOf = (steps: readonly RecordedStep[]): readonly string[] =>
  steps.flatMap(({ action }) => {
    if (action.kind === 'upload') return action.paths
    return action.kind === 'mock' ? [action.rule.answer?.path ?? [], action.rule.har ?? []].flat() : []
  })
