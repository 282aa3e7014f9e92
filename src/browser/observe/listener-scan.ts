// Only the main world can list the listeners of elements, and only for a DevTools session that evaluates a script there. So a function in
// the main world of each document answers Playwright's world, at the cost of one message per document.

import { randomUUID } from 'node:crypto'
import type { Frame, Page } from 'playwright'
import { findListeners } from '../in-page/snapshot/find-listeners.ts'
import { answerListenerRequests } from '../in-page/snapshot/listener-reports.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { mainWorldOf } from '../playwright/internals.ts'

const id = randomUUID()

/** The types of the events between the two worlds; a page does not know them. */
export const LISTENER_EVENTS = { request: `${id}-request`, report: `${id}-report` } as const

const composedAnswer = composeInPage(answerListenerRequests, { findListeners })
const expression = `(${String(composedAnswer)})(${JSON.stringify(LISTENER_EVENTS)})`

// The main worlds in which the function was installed.
const preparedWorlds = new WeakSet<object>()

/** Prepares the documents of a page for a snapshot; resolves when the message for the main frame was sent, with whether it is the first
 * one for that document. Firefox needs no preparation. */
export async function prepareListenerScan(page: Page): Promise<boolean> {
  const [main, ...others] = page.frames().map(prepareFrame)
  void Promise.all(others)
  return (await main) ?? false
}

/** Prepares the main frame again, a few times for each document; false if that cannot help. */
export async function repeatPreparation(page: Page): Promise<boolean> {
  const world = await mainWorldOf(page.mainFrame())
  const count = world?.evaluate ? (repetitions.get(world.key) ?? 0) : REPETITION_LIMIT
  if (!world || count >= REPETITION_LIMIT) return false
  repetitions.set(world.key, count + 1)
  preparedWorlds.delete(world.key)
  return prepareFrame(page.mainFrame())
}

const REPETITION_LIMIT = 3
const repetitions = new WeakMap<object, number>()

// --- internal ---

async function prepareFrame(frame: Frame): Promise<boolean> {
  const world = await mainWorldOf(frame)
  if (!world || preparedWorlds.has(world.key)) return false
  preparedWorlds.add(world.key)
  // Sent before the snapshot of the document, which the browser handles after it.
  world.evaluate?.(expression).catch(() => preparedWorlds.delete(world.key))
  return true
}
