// What is done in a session while its video is recorded: the mouse, and whether something is entered that no picture may show.

import type { Page } from 'playwright'
import type { Action } from '../../core/base/action.ts'
import type { Point } from '../../core/base/geometry.ts'
import { mousePositionOf } from '../../core/browser/playwright/internals.ts'
import type { SecretHooks } from '../../core/sessions/types/browsers.ts'

export interface SessionInputs {
  /** Runs an action, or inputs of a person. */
  during<T>(action: Action | undefined, work: () => Promise<T>): Promise<T>
  /** Where the mouse is, undefined where it was not moved, and how often a button was pressed. */
  mouse(): { readonly point?: Point; readonly presses: number }
  /** The number of actions that have begun and of those that have not ended, and when the last one began and ended. */
  actions(): {
    readonly count: number
    readonly openCount: number
    readonly begunAt: number
    readonly endedAt: number
  }
  /** Returns a function that says whether a declared secret is or was entered since then. */
  watchSecrets(): () => boolean
}

export function createInputs(activePage: () => Page, secrets: SecretHooks | undefined): SessionInputs {
  let [count, begunAt, endedAt] = [0, -Infinity, -Infinity]
  let openCount = 0
  let presses = 0
  let pressing: { readonly page: Page; readonly place: string } | undefined
  let secretCount = 0
  let openSecrets = 0
  const placeOf = (page: Page) => JSON.stringify(mousePositionOf(page))
  return {
    async during(action, work) {
      const isSecret = secrets?.containsDeclared(textOf(action)) ?? false
      const page = activePage()
      if (action) count += 1
      openCount += 1
      begunAt = performance.now()
      if (isSecret) secretCount += 1
      if (isSecret) openSecrets += 1
      pressing = isPress(action) ? { page, place: placeOf(page) } : undefined
      try {
        return await work()
      } finally {
        endedAt = performance.now()
        openCount -= 1
        if (pressing) presses += 1
        pressing = undefined
        if (isSecret) openSecrets -= 1
      }
    },
    mouse() {
      const point = mousePositionOf(activePage())
      // An action that presses a button moves the mouse first, and may then wait for a long time for what it caused.
      const isPressed = pressing !== undefined && placeOf(pressing.page) !== pressing.place
      return { point, presses: presses + (isPressed ? 1 : 0) }
    },
    actions: () => ({ count, openCount, begunAt, endedAt }),
    watchSecrets() {
      const isOpen = openSecrets > 0
      const before = secretCount
      return () => isOpen || secretCount !== before
    },
  }
}

// --- internal ---

const isPress = (action: Action | undefined): boolean =>
  action?.kind === 'click' ||
  action?.kind === 'drag' ||
  (action?.kind === 'mouse' && /click|down|drag/.test(action.action.kind))

function textOf(action: Action | undefined): string {
  if (action?.kind === 'type') return action.text
  return action?.kind === 'fill' ? String(action.value) : ''
}
