// Dialogs stop a page until somebody answers. While one is open nothing is asked of the page; the call that met it returns, and what
// it had under way goes on once the dialog is answered.

import type { BrowserContext, Dialog as PlaywrightDialog } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Dialog } from '../../runtime/ports/page.ts'

const TEXT_LENGTH = 4000

export interface Dialogs {
  current(): Dialog | undefined
  /** Runs `work` until it is done or a dialog opens; then the answer is the dialog. With `keep` the rest belongs to the dialog's end. */
  during<T>(work: Promise<T>, keep: boolean): Promise<{ done: T } | { dialog: Dialog }>
  answer(accept: boolean, text: string | undefined, call: Call): Promise<Outcome<Dialog>>
}

export function createDialogs(context: BrowserContext, tell: (text: string) => void): Dialogs {
  const open: PlaywrightDialog[] = []
  const waiting = new Set<(dialog: Dialog) => void>()
  const behind = new Set<Promise<unknown>>()
  const forget = (dialog: PlaywrightDialog) => {
    if (open.includes(dialog)) open.splice(open.indexOf(dialog), 1)
  }

  context.on('dialog', (dialog) => {
    open.push(dialog)
    dialog.page()?.once('close', () => forget(dialog))
    dialog.page()?.once('crash', () => forget(dialog))
    tell(`A dialog was opened (${dialog.type()}): ${clip(dialog.message(), TEXT_LENGTH)}`)
    for (const wake of waiting) wake(shown(dialog))
  })

  const current = () => (open[0] ? shown(open[0]) : undefined)

  const during: Dialogs['during'] = async (work, keep) => {
    const opened = createDeferred<Dialog>()
    waiting.add(opened.resolve)
    const first = await Promise.race([
      work.then((done) => ({ done })),
      opened.promise.then((dialog) => ({ dialog })),
    ]).finally(() => waiting.delete(opened.resolve))
    if ('dialog' in first && keep) {
      const rest: Promise<unknown> = work.catch(() => {}).then(() => behind.delete(rest))
      behind.add(rest)
    }
    return first
  }

  return {
    current,
    during,
    async answer(accept, text, { timeout }) {
      const [dialog] = open
      if (!dialog) {
        const expected = 'an open dialog'
        return err(invalidParameter('accept', expected, 'none is open'))
      }
      forget(dialog)
      const answered = await attempt(accept ? dialog.accept(text) : dialog.dismiss(), browserError)
      if (!answered.ok) return answered
      // What the dialog had stopped is part of this answer, unless it opens the next one.
      if (open.length === 0) await during(settleWithin(timeout, Promise.all(behind)), false)
      return ok(shown(dialog))
    },
  }
}

const shown = (dialog: PlaywrightDialog): Dialog => ({
  type: dialog.type(),
  message: clip(dialog.message(), TEXT_LENGTH),
  ...(dialog.defaultValue() !== '' && { suggestion: clip(dialog.defaultValue(), TEXT_LENGTH) }),
})
