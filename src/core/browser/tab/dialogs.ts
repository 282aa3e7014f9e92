// A dialog blocks its page until it is answered. While one is open nothing is asked of the page; the call during which it opened
// returns, and the rest of that call's work goes on once the dialog is answered.

import type { BrowserContext, Dialog as PlaywrightDialog } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'
import { dialogNote } from '../../base/text/invisible-characters.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Dialog } from '../../base/action.ts'

const TEXT_LIMIT_CHARS = 4000

export interface Dialogs {
  current(): Dialog | undefined
  /** Runs `work` until it is done or a dialog opens; then the result is the dialog. With `keepBlocked` the answer to the dialog waits for
   * the rest of the work. */
  runUntilDialog<T>(work: Promise<T>, keepBlocked: boolean): Promise<{ result: T } | { dialog: Dialog }>
  answer(accept: boolean, text: string | undefined, deadline: Deadline): Promise<Outcome<Dialog>>
}

export function createDialogs(context: BrowserContext, report: (text: string) => void): Dialogs {
  const open: PlaywrightDialog[] = []
  const waiting = new Set<(dialog: Dialog) => void>()
  const blockedWork = new Set<Promise<unknown>>()
  const forget = (dialog: PlaywrightDialog) => {
    if (open.includes(dialog)) open.splice(open.indexOf(dialog), 1)
  }

  context.on('dialog', (dialog) => {
    open.push(dialog)
    dialog.page()?.once('close', () => forget(dialog))
    dialog.page()?.once('crash', () => forget(dialog))
    report(dialogNote(dialog.type(), clip(dialog.message(), TEXT_LIMIT_CHARS)))
    for (const wake of waiting) wake(toDialog(dialog))
  })

  const runUntilDialog: Dialogs['runUntilDialog'] = async (work, keepBlocked) => {
    const opening = createDeferred<Dialog>()
    waiting.add(opening.resolve)
    const first = await Promise.race([
      work.then((result) => ({ result })),
      opening.promise.then((dialog) => ({ dialog })),
    ]).finally(() => waiting.delete(opening.resolve))
    if ('dialog' in first && keepBlocked) {
      const rest: Promise<unknown> = work.catch(() => {}).then(() => blockedWork.delete(rest))
      blockedWork.add(rest)
    }
    return first
  }

  return {
    current: () => (open[0] ? toDialog(open[0]) : undefined),
    runUntilDialog,
    async answer(accept, text, deadline) {
      const [dialog] = open
      if (!dialog) {
        return err(invalidParameter('accept', 'an open dialog', 'a page without one'))
      }
      forget(dialog)
      const answerResult = await attempt(accept ? dialog.accept(text) : dialog.dismiss(), browserError)
      if (!answerResult.ok) return answerResult
      // What the dialog had blocked belongs to this answer, unless it opens the next dialog.
      if (open.length === 0)
        await runUntilDialog(settleWithin(deadline.remaining(), Promise.all(blockedWork)), false)
      return ok(toDialog(dialog))
    },
  }
}

const toDialog = (dialog: PlaywrightDialog): Dialog => ({
  type: dialog.type(),
  message: clip(dialog.message(), TEXT_LIMIT_CHARS),
  ...(dialog.defaultValue() !== '' && { suggestion: clip(dialog.defaultValue(), TEXT_LIMIT_CHARS) }),
})
