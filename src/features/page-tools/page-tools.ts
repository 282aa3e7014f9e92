// The tools that a page offers to agents by WebMCP: https://webmachinelearning.github.io/webmcp/

import type { Frame, Page } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { describeScriptError } from '../../core/browser/actions/evaluate.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature, Performers } from '../../core/browser/page/performers.ts'
import { engineOfBrowser } from '../../core/browser/playwright/engine.ts'
import {
  attempt,
  browserError,
  isContextDestroyed,
  isTargetClosed,
  messageOf,
} from '../../core/browser/playwright/errors.ts'
import { evaluateInternally } from '../../core/browser/playwright/internals.ts'
import { awaitNavigation } from '../../core/browser/tab/page-activity.ts'
import type { EvalResult, Page as CorePage } from '../../core/sessions/types/page.ts'
import { callOfferedTool, readOfferedTools } from './in-page/generated.ts'
import type { PageTool, ToolLimits } from './in-page/offered-tools.ts'
import { nameOf, type OfferedTools } from './page-tool.ts'

declare module '../../core/base/action.ts' {
  interface ActionTypes<E> {
    /** Calls a tool that the page offers, and returns its answer. */
    callTool: ActionType<
      { readonly tool: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> },
      { readonly result: unknown; readonly notes: readonly string[] }
    >
  }
}

declare module '../../core/sessions/types/browsers.ts' {
  interface PageHooks {
    /** Whether the page may offer tools. */
    readonly offersTools?: boolean
  }
}

declare module '../../core/browser/page/performers.ts' {
  interface FeaturePerformers extends Performers<'callTool'> {}
}

export const createPageTools = ({ runInFront }: PageParts): PageFeature => ({
  inputs: {
    callTool: ({ name, input }, deadline) =>
      runInFront(
        [],
        (tab) => awaitNavigation(tab, () => callPageTool(tab.page, name, input, deadline)),
        () => ({ result: undefined, notes: [] }),
      ),
  },
})

/** What lets the pages of a browser offer tools. */
export const launchForTools = {
  chromiumFeatures: ['WebMCP'],
  firefoxUserPrefs: { 'dom.modelcontext.enabled': true, 'dom.modelcontext.testing.enabled': true },
}

/** The tools that the page offers to agents; fails where the browser was not started for them. Each snapshot asks for them. */
export const readOffers = async (
  { parts: { hooks, readRedacted } }: CorePage,
  deadline: Deadline,
): Promise<Outcome<OfferedTools>> =>
  hooks.offersTools ? readRedacted(({ page }) => listPageTools(page, deadline), deadline, ok) : err(NO_OFFERS)

// --- internal ---

const NO_OFFERS: Failure = {
  code: 'BROWSER_ERROR',
  text: 'this browser was started without WebMCP, so pages offer no tools',
  next: 'Start Footlight with --tools +page_tools; in a shell with FOOTLIGHT_TOOLS=+page_tools, after footlight daemon stop.',
}

const FRAME_LIMIT = 20

const TOOL_LIMITS: ToolLimits = { tools: 100, nameChars: 200, descriptionChars: 1000, schemaChars: 3000 }

const NAVIGATED: Failure = { code: 'SCRIPT_ERROR', text: 'the page navigated' }

/** Those of the main document first; of two with the same name the first one is called. */
async function listPageTools(page: Page, deadline: Deadline): Promise<Outcome<OfferedTools>> {
  const frameTools = await listByFrame(page, deadline)
  if (!frameTools.ok) return frameTools
  const names = new Set<string>()
  const isFirst = ({ name }: PageTool) => !names.has(name) && names.add(name)
  const tools = frameTools.value.flatMap((frame) => frame.tools).filter(isFirst)
  const unread = frameTools.value.reduce((sum, frame) => sum + frame.count - frame.tools.length, 0)
  const listed = tools.slice(0, TOOL_LIMITS.tools)
  return ok({ tools: listed, omitted: unread + tools.length - listed.length })
}

/** Calls a tool, and returns what it answers. Fails with INVALID_PARAMETERS if the page has no such tool, with SCRIPT_ERROR if it throws. */
async function callPageTool(
  page: Page,
  name: string,
  input: Readonly<Record<string, unknown>>,
  deadline: Deadline,
): Promise<Outcome<EvalResult>> {
  const frameTools = await listByFrame(page, deadline)
  if (!frameTools.ok) return frameTools
  const owner = frameTools.value.find(({ tools }) => tools.some((tool) => tool.name === name))
  if (!owner) return err(invalidParameter('name', 'a tool of the page', JSON.stringify(name)))
  // Firefox gives the tool to the world of the page alone.
  const browser = page.context().browser()
  const isOwnWorld = browser !== null && engineOfBrowser(browser) === 'firefox'
  const answer = await attempt(
    within(deadline, runInFrame(owner.frame, callOfferedTool, { name, input }, isOwnWorld)),
    callFailure,
  )
  if (!answer.ok) return answer.error === NAVIGATED ? ok({ result: undefined, notes: [] }) : answer
  if (answer.value === undefined)
    return err({
      code: 'TIMEOUT',
      waitedFor: `the tool ${nameOf(name)} of the page`,
      waited: deadline.timeout,
    })
  if ('error' in answer.value) return err(describeScriptError(answer.value.error))
  const { json, notes } = answer.value
  return ok({ result: JSON.parse(json), notes: notes.filter((note) => !note.includes('undefined')) })
}

interface FrameTools {
  readonly frame: Frame
  readonly tools: readonly PageTool[]
  /** Also of those that were not read. */
  readonly count: number
}

/** Undefined once the time is over. */
async function within<T>(deadline: Deadline, work: Promise<T>): Promise<T | undefined> {
  const outcome = await settleWithin(deadline.remaining(), work)
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** In Playwright's own world where that is known, which the page cannot change. */
async function runInFrame<A, T>(
  frame: Frame,
  work: (matches: unknown, arg: A) => Promise<T>,
  arg: A,
  isOwnWorld = false,
): Promise<T> {
  const root = frame.locator(':root')
  const inside = isOwnWorld ? undefined : await evaluateInternally(root, work, arg)
  return inside ? inside.result : root.evaluate(work as never, arg)
}

async function listByFrame(page: Page, deadline: Deadline): Promise<Outcome<readonly FrameTools[]>> {
  const main = page.mainFrame()
  const frames = page.frames().filter((frame) => frame !== main)
  const read = (frame: Frame) => within(deadline, runInFrame(frame, readOfferedTools, TOOL_LIMITS))
  const inMain = await attempt(read(main), browserError)
  if (!inMain.ok) return inMain
  if (!inMain.value)
    return err({ code: 'TIMEOUT', waitedFor: 'the tools of the page', waited: deadline.timeout })
  const mainOrigin = parseUrl(main.url())?.origin
  const inFrames = frames.slice(0, FRAME_LIMIT).map(async (frame): Promise<FrameTools> => {
    const origin = parseUrl(frame.url())?.origin
    const { tools, count } = (await read(frame).catch(() => undefined)) ?? { tools: [], count: 0 }
    return {
      frame,
      count,
      tools: tools.map((tool) => ({
        ...tool,
        ...(origin !== undefined && origin !== mainOrigin && { origin }),
      })),
    }
  })
  return ok([{ frame: main, ...inMain.value }, ...(await Promise.all(inFrames))])
}

function callFailure(error: Error): Failure {
  if (isContextDestroyed(error)) return NAVIGATED
  if (isTargetClosed(error)) return browserError(error)
  // Firefox has no stack of it, and says so first.
  return { code: 'SCRIPT_ERROR', text: messageOf(error).replace(/^unknown error[\s\S]*for exception: /, '') }
}
