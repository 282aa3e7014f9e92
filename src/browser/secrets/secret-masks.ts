// Pictures and PDFs show secret fields as dots: exactly the fields that count as secret, and those that hold a declared secret. A style
// sheet that names their places does it, so that the page's elements stay as they are; it is emptied afterwards.

import type { Page } from 'playwright'
import { describeField } from '../in-page/dom/describe-field.ts'
import { maskFields } from '../in-page/secrets/mask-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { composedIsSecretField } from './secret-field.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const MASK_TIMEOUT_MS = 1000

/** Runs `work` while the secret fields of the page show dots. `values` are what further fields hold that must not be seen. */
export async function withSecretMasks<T>(
  page: Page,
  values: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const all = (run: (arg: readonly string[] | null) => unknown, arg: readonly string[] | null) =>
    Promise.all(page.frames().map((frame) => settleWithin(MASK_TIMEOUT_MS, frame.evaluate(run, arg))))
  await all(composedMaskFields, values)
  try {
    return await work()
  } finally {
    await all(composedMaskFields, null)
  }
}

// --- internal ---

const composedMaskFields = composeInPage(maskFields, { isSecretField: composedIsSecretField, describeField })
