// What is done in both versions, as recorded steps, whose addresses become those of each version.

import { invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import type { Files } from '../../../core/base/files/files.ts'
import { err, ok } from '../../../core/base/result.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RecordedAction, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { wordsOf } from '../../lib/recording/step-words.ts'
import { isActing, startWithNavigation } from '../../lib/replay/prepare-steps.ts'
import type {} from '../../recording/recording.ts'
import { readTest, stepsOf } from './read-test.ts'

/** An action with the checks that follow it; one part of a flow has one view. */
export interface FlowPart {
  readonly title: string
  readonly steps: readonly RecordedStep[]
  /** Whether the next one loads a page, so that nothing depends on what is done to this one. */
  readonly isLast: boolean
  /** The path that it opens, of a recording the one that it led to. */
  readonly target?: string
  /** Whether fields are filled in on its page afterwards: a login that the flow itself does. */
  readonly isFilled: boolean
}

export interface Flow {
  readonly parts: readonly FlowPart[]
  /** Whether it does more than open pages. */
  readonly acts: boolean
  readonly notes: readonly string[]
}

const PAGE_LIMIT = 20
/** Stands for the origin of each version. */
const FLOW_ORIGIN = 'http://flow.invalid'

/** The flow that a caller asks for. Fails with INVALID_PARAMETERS, field flow. */
export async function planFlow(
  flow: readonly string[] | undefined,
  session: OpenSession | undefined,
  files: Files,
): Promise<Outcome<Flow>> {
  const paths = flow ?? visitedPages(session)
  const [only = '', another] = paths
  if (another === undefined && only === 'session') return planRecording(session)
  if (another === undefined && TEST_FILE.test(only)) return planTest(only, files)
  const wrong = paths.find((path) => !path.startsWith('/'))
  if (wrong !== undefined) {
    const expected = 'paths that begin with /, or alone "session" or the path of a saved test'
    return err(invalidParameter('flow', expected, JSON.stringify(wrong)))
  }
  return ok(toFlow(stepsOf(paths.map((path) => ({ kind: 'navigate', url: `${FLOW_ORIGIN}${path}` })))))
}

/** A step of a flow with the addresses of one version. */
export function stepFor(step: RecordedStep, origin: string): RecordedStep {
  const place = (text: string) => text.replaceAll(FLOW_ORIGIN, origin)
  return { ...step, action: mapAddresses(step.action, place, (url) => url.replaceAll(origin, FLOW_ORIGIN)) }
}

// --- internal ---

const TEST_FILE = /\.(spec|test)\.[cm]?[jt]sx?$/

async function planTest(path: string, files: Files): Promise<Outcome<Flow>> {
  const bytes = await files.read(path)
  if (!bytes.ok) return bytes
  const test = readTest(new TextDecoder().decode(bytes.value))
  if (!test.ok) {
    const expected = 'a test that save_test wrote, with one page and values that are written in it'
    const hint = 'Do its steps in a session, and pass "session".'
    return err(invalidParameter('flow', expected, `${path}, ${test.error}`, hint))
  }
  const { actions, leftOut } = test.value
  const place = (url: string) => (url.startsWith('/') ? `${FLOW_ORIGIN}${url}` : url)
  const steps = stepsOf(actions.map((action) => mapAddresses(action, place, String)))
  return ok({ ...toFlow(steps), notes: leftOut.map((code) => `Left out of the test: ${code}`) })
}

function planRecording(session: OpenSession | undefined): Outcome<Flow> {
  const steps = startWithNavigation(session?.recording.read().steps ?? [])
  if (!session || !steps.some(isActing))
    return err(invalidParameter('flow', 'a session that has done something on a page', 'one that has not'))
  const origin = originOf(session)
  const place = (text: string) => (origin === undefined ? text : text.replaceAll(origin, FLOW_ORIGIN))
  const unplace = (url: string) => (origin === undefined ? url : url.replaceAll(FLOW_ORIGIN, origin))
  return ok(toFlow(steps.map((step) => ({ ...step, action: mapAddresses(step.action, place, unplace) }))))
}

const originOf = ({ server, url }: OpenSession): string | undefined =>
  parseUrl(server?.info().url ?? url)?.origin

/** The pages of the server that the session was on, in their order. */
function visitedPages(session: OpenSession | undefined): readonly string[] {
  const steps = session?.recording.read().steps ?? []
  const origin = session && originOf(session)
  const paths = [...steps.map(({ urlAfter }) => urlAfter), session?.url ?? ''].flatMap((address) => {
    const url = parseUrl(address)
    return url && url.origin === origin ? [`${url.pathname}${url.search}${url.hash}`] : []
  })
  const unique = [...new Set(paths)].slice(0, PAGE_LIMIT)
  return unique.length > 0 ? unique : ['/']
}

function toFlow(steps: readonly RecordedStep[]): Flow {
  const starts = steps.flatMap((step, index) => (isActing(step) ? [index] : []))
  const parts = starts.map((start, position): FlowPart => {
    // What is set before the first action is set with it.
    const first = position === 0 ? 0 : start
    const end = starts[position + 1] ?? steps.length
    const next = steps[end]
    const target = askedPath(steps[start])
    return {
      title: titleOf(steps[start]?.action),
      steps: steps.slice(first, end),
      isLast: next === undefined || next.action.kind === 'navigate',
      target,
      isFilled: isFilledAfter(steps, start),
    }
  })
  return { parts, acts: steps.some((step) => isActing(step) && step.action.kind !== 'navigate'), notes: [] }
}

function askedPath(step: RecordedStep | undefined): string | undefined {
  if (step?.action.kind !== 'navigate') return undefined
  // A recorded address has an origin of its own.
  const recorded = parseUrl(step.urlAfter)
  const url = recorded && /^https?:$/.test(recorded.protocol) ? recorded : parseUrl(step.action.url)
  return url ? `${url.pathname}${url.search}${url.hash}` : undefined
}

const isFilling = ({ action }: RecordedStep): boolean =>
  action.kind === 'fill' || action.kind === 'select' || (action.kind === 'type' && action.submit !== true)

// A click between two fields does not send them yet.
function isFilledAfter(steps: readonly RecordedStep[], start: number): boolean {
  const rest = steps.slice(start + 1)
  const end = rest.findIndex(({ action }) => action.kind === 'navigate')
  const samePage = [...steps.slice(start, start + 1), ...(end < 0 ? rest : rest.slice(0, end))]
  return samePage.some(isFilling)
}

const titleOf = (action: RecordedAction | undefined): string =>
  action ? wordsOf(action).replaceAll(FLOW_ORIGIN, '') : ''

function mapAddresses(
  action: RecordedAction,
  place: (text: string) => string,
  unplace: (url: string) => string,
): RecordedAction {
  if (action.kind === 'navigate') return { ...action, url: place(action.url) }
  if (action.kind === 'check' && action.check.url !== undefined)
    return { ...action, check: { ...action.check, url: place(action.check.url) } }
  if (action.kind !== 'mock' || action.rule.url === undefined) return action
  const { rule, mock } = action
  const placedRule = { ...rule, url: place(action.rule.url) }
  const matchesUrl = mock && ((url: string) => mock.matchesUrl(unplace(url)))
  return {
    ...action,
    rule: placedRule,
    ...(mock && matchesUrl && { mock: { ...mock, rule: placedRule, matchesUrl } }),
  }
}
