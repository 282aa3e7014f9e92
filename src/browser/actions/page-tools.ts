// The tools that a page offers to agents by WebMCP: https://webmachinelearning.github.io/webmcp/

import type { Frame, Page } from 'playwright'
import {
  attempt,
  browserError,
  isContextDestroyed,
  isTargetClosed,
  isTimeout,
  messageOf,
} from '../playwright/errors.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { nameOf, type PageTool } from '../../core/session/page-tool.ts'
import { parseUrl } from '../../core/text/parse-url.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'

/** Those of the main document first; of two with the same name the first one is called. */
export async function listPageTools(page: Page, deadline: Deadline): Promise<Outcome<readonly PageTool[]>> {
  const frameTools = await listByFrame(page, deadline)
  if (!frameTools.ok) return frameTools
  const names = new Set<string>()
  const isFirst = ({ name }: PageTool) => !names.has(name) && names.add(name)
  return ok(frameTools.value.flatMap(({ tools }) => tools).filter(isFirst))
}

/** Calls a tool, and returns what it answers. Fails with INVALID_PARAMETERS if the page has no such tool, with SCRIPT_ERROR if it throws. */
export async function callPageTool(
  page: Page,
  name: string,
  input: Readonly<Record<string, unknown>>,
  deadline: Deadline,
): Promise<Outcome<unknown>> {
  const frameTools = await listByFrame(page, deadline)
  if (!frameTools.ok) return frameTools
  const owner = frameTools.value.find(({ tools }) => tools.some((tool) => tool.name === name))
  if (!owner) return err(invalidParameter('name', 'a tool of the page', JSON.stringify(name)))
  const answer = owner.frame.webmcp.callTool(name, input as never, { timeout: deadline.remaining() })
  const outcome = await attempt(answer, (error) => callFailure(error, name, deadline))
  // A tool that navigates has done so.
  return !outcome.ok && outcome.error === NAVIGATED ? ok(undefined) : outcome
}

// --- internal ---

const FRAME_LIMIT = 20

const NAVIGATED: Failure = { code: 'SCRIPT_ERROR', text: 'the page navigated' }

interface FrameTools {
  readonly frame: Frame
  readonly tools: readonly PageTool[]
}

async function listByFrame(page: Page, deadline: Deadline): Promise<Outcome<readonly FrameTools[]>> {
  const timeout = deadline.remaining()
  const main = page.mainFrame()
  const frames = page.frames().filter((frame) => frame !== main)
  const inMain = await attempt(main.webmcp.tools({ timeout }), browserError)
  if (!inMain.ok) return inMain
  const mainOrigin = parseUrl(main.url())?.origin
  const inFrames = frames.slice(0, FRAME_LIMIT).map(async (frame): Promise<FrameTools> => {
    const origin = parseUrl(frame.url())?.origin
    const tools = await frame.webmcp.tools({ timeout }).catch(() => [])
    return {
      frame,
      tools: tools.map((tool) => ({ ...tool, ...(origin !== mainOrigin && { origin }) })) as never,
    }
  })
  return ok([{ frame: main, tools: inMain.value }, ...(await Promise.all(inFrames))])
}

function callFailure(error: Error, name: string, deadline: Deadline): Failure {
  if (isContextDestroyed(error)) return NAVIGATED
  if (isTargetClosed(error)) return browserError(error)
  if (isTimeout(error))
    return { code: 'TIMEOUT', waitedFor: `the tool ${nameOf(name)} of the page`, waited: deadline.timeout }
  // Firefox has no stack of it, and says so first.
  return { code: 'SCRIPT_ERROR', text: messageOf(error).replace(/^unknown error[\s\S]*for exception: /, '') }
}
