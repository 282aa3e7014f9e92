// The error overlays of dev servers and frameworks. An element that is missing or covered on such a page has that error as its cause.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { readOverlay } from '../in-page/observe/error-overlay.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import type { Failure } from '../../core/failure.ts'

const READ_TIMEOUT_MS = 500
const MESSAGE_LENGTH = 500
const ROOT = { selector: 'html' }

/** The failure with the error of the page's overlay, if there is one. */
export async function addErrorOverlay(page: Page, failure: Failure): Promise<Failure> {
  switch (failure.code) {
    case 'ELEMENT_NOT_FOUND':
    case 'ELEMENT_NOT_CLICKABLE':
    case 'ELEMENT_NOT_EDITABLE':
    case 'TIMEOUT': {
      const overlay = await settleWithin(
        READ_TIMEOUT_MS,
        evaluateTarget({ locator: page.locator(ROOT.selector), target: ROOT }, readOverlay, MESSAGE_LENGTH),
      )
      return overlay && !(overlay instanceof Error) ? { ...failure, overlay } : failure
    }
    default:
      return failure
  }
}
