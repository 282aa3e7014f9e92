import type { Page, ElementHandle, Frame, Locator } from 'playwright'
import { waitForElement } from './wait-for-element.ts'
import { endWhenQuiet, MISSING_QUIET_MS } from '../actions/wait-for-target.ts'
import type { ReadTree } from './poll-aria.ts'
import { attempt, isAborted, isTimeout, waitFailure } from '../playwright/errors.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/engine.ts'
import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { WaitCondition } from '../../base/action.ts'
import { mayHaveMarks, patternWithMarks } from '../../base/text/direction-marks.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

/** Waits for every given condition, one after the other, within one deadline; the element comes last. */
export async function waitFor(
  page: Page,
  { element, text, textGone, url }: WaitCondition,
  deadline: Deadline,
  readTree: ReadTree,
): Promise<Outcome<void>> {
  const until = (waitedFor: string, wait: (limit: Deadline) => Promise<unknown>) =>
    attempt(
      endWhenQuiet(page, deadline, async () => MISSING_QUIET_MS, wait),
      (error) => waitFailure(error, waitedFor, deadline),
    )
  if (text !== undefined) {
    const waitedFor = `the text ${JSON.stringify(text)}`
    const textResult = await until(waitedFor, (limit) => waitForText(page, text, limit))
    if (!textResult.ok) return textResult
  }
  if (textGone !== undefined) {
    const waitedFor = `the text ${JSON.stringify(textGone)} to disappear`
    const goneResult = await until(waitedFor, (limit) => waitUntilTextGone(page, textGone, limit))
    if (!goneResult.ok) return goneResult
  }
  if (url !== undefined) {
    const urlResult = await until(`the URL ${url.text}`, (limit) =>
      page.waitForURL(({ href }) => url.matches(href), { waitUntil: 'commit', ...playwrightOptions(limit) }),
    )
    if (!urlResult.ok) return urlResult
  }
  return element ? waitForElement(page, element, deadline, readTree) : ok(undefined)
}

// --- internal ---

// Each wait sends messages to its frame, from the one process that all sessions share.
const FRAME_LIMIT = 50
// A frame whose document failed to load may never answer.
const FRAME_TIMEOUT_MS = 3000

/** Resolves once a visible frame shows the text. Rejects with Playwright's error of the main frame. */
async function waitForText(page: Page, text: string, deadline: Deadline): Promise<void> {
  await withStop(deadline, async (options) => {
    const waiting = new Set<Frame>()
    let watchFrames = () => {}
    const inChildFrame = new Promise<void>((resolve) => {
      const watch = async (frame: Frame) => {
        waiting.add(frame)
        const isFound = await waitInFrame(frame, text, options).catch(() => false)
        waiting.delete(frame)
        if (isFound) resolve()
        else if (!options.signal.aborted) watchFrames()
      }
      watchFrames = () => {
        for (const frame of childFramesOf(page))
          if (!waiting.has(frame) && waiting.size < FRAME_LIMIT) void watch(frame)
      }
    })
    page.on('frameattached', watchFrames)
    watchFrames()
    const inMainFrame = locateText(page.mainFrame(), text).waitFor({ state: 'attached', ...options })
    await Promise.race([inMainFrame, inChildFrame]).finally(() => page.off('frameattached', watchFrames))
  })
}

/** Resolves once no visible frame shows the text. Rejects with Playwright's error after the deadline. */
async function waitUntilTextGone(page: Page, text: string, deadline: Deadline): Promise<void> {
  for (;;) {
    await locateText(page.mainFrame(), text).waitFor({ state: 'detached', ...playwrightOptions(deadline) })
    const frame = await findFrameWith(page, text, deadline)
    if (!frame) return
    await withStop(deadline, (options) => waitUntilGoneIn(frame, text, options))
  }
}

const locateText = (frame: Frame, text: string): Locator =>
  mayHaveMarks(text)
    ? frame
        .getByText(text)
        .or(frame.getByText(patternWithMarks(text)))
        .filter({ visible: true })
        .first()
    : frame.getByText(text).filter({ visible: true }).first()

const childFramesOf = (page: Page): readonly Frame[] =>
  page.frames().filter((frame) => frame !== page.mainFrame())

// Ends all waits of `work` together with it.
async function withStop(
  deadline: Deadline,
  work: (options: PlaywrightOptions) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([deadline.signal, stop.signal])
  await work({ ...playwrightOptions(deadline), signal }).finally(() => stop.abort())
}

// False if the frame was detached.
async function waitInFrame(frame: Frame, text: string, options: PlaywrightOptions): Promise<boolean> {
  while (!options.signal.aborted && !frame.isDetached()) {
    await locateText(frame, text).waitFor({ state: 'attached', ...options })
    const hiddenOwner = await findHiddenOwner(frame)
    if (!hiddenOwner) return true
    await hiddenOwner.waitForElementState('visible', options)
  }
  return false
}

// Returns early if the frame is detached; if the page is gone, the main frame reports it.
async function waitUntilGoneIn(frame: Frame, text: string, options: PlaywrightOptions): Promise<void> {
  const waitUntilHidden = async () => {
    const owners = await ownersOf(frame)
    await Promise.race(owners.map((owner) => owner.waitForElementState('hidden', options)))
  }
  const isGone = locateText(frame, text).waitFor({ state: 'detached', ...options })
  await Promise.race([isGone, waitUntilHidden()]).catch((error: unknown) => {
    if (error instanceof Error && (isTimeout(error) || isAborted(error))) throw error
  })
}

async function findFrameWith(page: Page, text: string, deadline: Deadline): Promise<Frame | undefined> {
  const showsText = async (frame: Frame) =>
    (await locateText(frame, text).count()) > 0 && !(await findHiddenOwner(frame))
  const timeoutMs = Math.min(FRAME_TIMEOUT_MS, deadline.remaining())
  const frames = childFramesOf(page).slice(0, FRAME_LIMIT)
  const results = await Promise.all(frames.map((frame) => settleWithin(timeoutMs, showsText(frame))))
  // At the deadline, a frame without an answer may have the text.
  const isUnknown = (result: unknown) => result === undefined && timeoutMs < FRAME_TIMEOUT_MS
  return frames.find((_, index) => results[index] === true || isUnknown(results[index]))
}

// The outermost element on the way to the frame that is invisible.
async function findHiddenOwner(frame: Frame): Promise<ElementHandle | undefined> {
  for (const owner of (await ownersOf(frame)).toReversed()) if (!(await owner.isVisible())) return owner
  return undefined
}

// The elements that contain the frame and its parents, from the inside to the outside.
async function ownersOf(frame: Frame): Promise<readonly ElementHandle[]> {
  const parent = frame.parentFrame()
  return parent ? [await frame.frameElement(), ...(await ownersOf(parent))] : []
}
