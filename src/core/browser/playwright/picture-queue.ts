// Chromium resizes a page for a screenshot of an element or of the whole page and scales it for a small one, and every other picture that is
// made meanwhile shows that. So the pictures of a page are made one after the other.

import type { Page } from 'playwright'

interface PictureQueue {
  last: Promise<unknown>
  readonly listeners: Set<() => void>
}

const queuesOfPages = new WeakMap<Page, PictureQueue>()

/** Makes a picture when those that were begun before have ended. */
export function takePictureAlone<T>(page: Page, take: () => Promise<T>): Promise<T> {
  const queue = queueOf(page)
  const taking = queue.last.then(() => {
    for (const listener of queue.listeners) listener()
    return take()
  })
  queue.last = taking.catch(() => {})
  return taking
}

/** Resolves when no picture is being made. */
export async function waitForPictures(page: Page): Promise<void> {
  const queue = queueOf(page)
  let last: unknown
  while (last !== queue.last) await (last = queue.last)
}

/** Calls `listener` before each picture; returns a function that stops that. */
export function watchPictures(page: Page, listener: () => void): () => void {
  const { listeners } = queueOf(page)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

// --- internal ---

function queueOf(page: Page): PictureQueue {
  const queue = queuesOfPages.get(page) ?? { last: Promise.resolve(), listeners: new Set() }
  queuesOfPages.set(page, queue)
  return queue
}
