// What the sending of a form is called: a button such as Save says little.

import type { RecordedElement, RecordedStep } from '../../recording/recorded-step.ts'
import { isStepOfUser } from './divide-steps.ts'

/** What the form is called that the last action of a part sends: its dialog, or else what opened it in this part or in an earlier one that
 * ends with the same button. Undefined if the action says itself what it does. */
export function formNameOf(
  part: readonly RecordedStep[],
  earlierParts: readonly (readonly RecordedStep[])[] = [],
): string | undefined {
  const steps = part.filter(isStepOfUser)
  const last = elementOf(steps.at(-1))
  if (!last || !SENDING_NAME.test(last.name.trim())) return undefined
  const dialog = DIALOG_NAME.exec(codeOf(last))?.[1]
  if (dialog !== undefined) return withoutEnd(dialog.replace(/\\(.)/g, '$1'))
  const opener = steps.slice(0, -1).findLast((step) => isOpener(step))
  const name = elementOf(opener) && labelOf(elementOf(opener) as RecordedElement)
  if (name !== undefined) return withoutEnd(name)
  const sameForm = earlierParts.findLastIndex(
    (earlier) => codeOf(elementOf(earlier.findLast(isStepOfUser))) === codeOf(last),
  )
  const sameForms = earlierParts[sameForm]
  return sameForms && formNameOf(sameForms, earlierParts.slice(0, sameForm))
}

/** Whether a part tries to send what only the next one fills in, with the same button. */
export function isEmptyAttempt(
  part: readonly RecordedStep[],
  next: readonly RecordedStep[] | undefined,
): boolean {
  const button = elementOf(part.findLast(isStepOfUser))
  const nextButton = elementOf(next?.findLast(isStepOfUser))
  if (button?.role !== 'button' || /^(?:next|previous|back|continue)$/i.test(button.name.trim())) return false
  return codeOf(button) === codeOf(nextButton) && !part.some(isEntry) && next?.some(isEntry) === true
}

// --- internal ---

const isEntry = ({ action }: RecordedStep): boolean =>
  ['type', 'fill', 'select', 'upload'].includes(action.kind)

const SENDING_NAME = /^(?:add|save|create|delete|remove|update|ok|submit|confirm|done|send|apply|yes)$/i

const DIALOG_NAME = /getByRole\('(?:alert)?dialog', \{ name: '((?:[^'\\]|\\.)*)'/
const TEXT_OF_CODE = /getByText\('((?:[^'\\]|\\.)*)'(?:, \{ exact: true \})?\)$/

const codeOf = (element: RecordedElement | undefined): string => element?.locators[0]?.code ?? ''

const elementOf = (step: RecordedStep | undefined): RecordedElement | undefined =>
  step?.action.kind === 'click' ? step.action.element : undefined

const isOpener = (step: RecordedStep): boolean => {
  const element = elementOf(step)
  if (!element || /^(?:option|checkbox|radio|combobox|tab|switch|listbox)$/.test(element.role)) return false
  const label = labelOf(element).trim()
  return /\p{L}{2}/u.test(label) && !SENDING_NAME.test(label) && !VAGUE_NAME.test(label)
}

const VAGUE_NAME = /^(?:edit|open|close|cancel|back|next|continue|more|menu|show|hide|change)$/i

const withoutEnd = (name: string): string => name.trim().replace(/[?!.:…]+$/, '')

/** The name of an element, or the text that it is found by. */
function labelOf(element: RecordedElement): string {
  if (element.name.trim() !== '') return element.name
  return TEXT_OF_CODE.exec(codeOf(element))?.[1]?.replace(/\\(.)/g, '$1') ?? ''
}
