// Chromium resizes a page for a screenshot of an element or of the whole page and scales it for a small one, and every other picture that is
// made meanwhile shows that. So the pictures of a page are made one after the other.

import type { Page } from 'playwright'

interface Turns {
  last: Promise<unknown>
  readonly listeners: Set<() => void>
}

const turnsOfPages = new WeakMap<Page, Turns>()

/** Makes a picture when those that were begun before have ended. */
export function takePictureInTurn<T>(page: Page, take: () => Promise<T>): Promise<T> {
  const turns = turnsOf(page)
  const taking = turns.last.then(() => {
    for (const listener of turns.listeners) listener()
    return take()
  })
  turns.last = taking.catch(() => {})
  return taking
}

/** Resolves when no picture is being made. */
export async function waitForPictures(page: Page): Promise<void> {
  const turns = turnsOf(page)
  let last: unknown
  while (last !== turns.last) await (last = turns.last)
}

/** Calls `listener` before each picture; returns a function that stops that. */
export function watchPictures(page: Page, listener: () => void): () => void {
  const { listeners } = turnsOf(page)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

// --- internal ---

function turnsOf(page: Page): Turns {
  const turns = turnsOfPages.get(page) ?? { last: Promise.resolve(), listeners: new Set() }
  turnsOfPages.set(page, turns)
  return turns
}
