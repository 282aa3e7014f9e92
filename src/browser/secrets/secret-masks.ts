// Screenshots and PDFs show secret fields as dots: the fields that count as secret, and those that contain a declared secret. A style
// sheet with a selector for each of them does it, so that the page's elements are not changed; it is emptied afterwards.

import type { Page } from 'playwright'
import { describeField } from '../in-page/dom/describe-field.ts'
import { maskFields } from '../in-page/secrets/mask-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { composedIsSecretField } from './secret-field.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const MASK_TIMEOUT_MS = 1000

/** Runs `work` while the secret fields of the page show dots. Fields with one of `values` are masked too. */
export async function withSecretMasks<T>(
  page: Page,
  values: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const runInFrames = (run: (arg: readonly string[] | null) => unknown, arg: readonly string[] | null) =>
    Promise.all(page.frames().map((frame) => settleWithin(MASK_TIMEOUT_MS, frame.evaluate(run, arg))))
  await runInFrames(composedMaskFields, values)
  try {
    return await work()
  } finally {
    await runInFrames(composedMaskFields, null)
  }
}

// --- internal ---

const composedMaskFields = composeInPage(maskFields, { isSecretField: composedIsSecretField, describeField })
