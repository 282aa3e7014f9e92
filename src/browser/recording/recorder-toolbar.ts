// Playwright's own recorder, for its toolbar: there a person marks what the test has to check, or pauses the recording.

import type { BrowserContext, Page } from 'playwright'
import { describeElement, describeSelector } from './describe-element.ts'
import { internalsOf } from '../playwright/internals.ts'
import { createDeadline } from '../../runtime/calls/deadline.ts'
import { clock } from '../../runtime/clock.ts'
import type { ElementCheck } from '../../core/checks/element-check.ts'
import type { RecordedAction, RecordedCheck } from '../../core/recording/recorded-step.ts'

export interface RecorderToolbar {
  /** Whether the person had paused the recording at that time of the system, or was choosing an element for a check. */
  wasPaused(at: number): boolean
}

const DESCRIPTION_TIMEOUT_MS = 1000

/** Shows the toolbar in all pages of the context, and calls back with each check. */
export async function showRecorderToolbar(
  context: BrowserContext,
  onCheck: (page: Page, toAction: () => Promise<RecordedAction>) => void,
): Promise<RecorderToolbar> {
  const { _startRecording: start } = context as unknown as RecordingContext
  await start.call(
    context,
    { language: 'playwright-test' },
    {
      actionAdded(page, action) {
        if (action.name.startsWith('assert') && action.selector !== undefined)
          onCheck(page, async () => ({ kind: 'check', check: await toCheck(page, action) }))
      },
    },
  )
  const modes: { readonly mode: string; readonly since: number }[] = [{ mode: 'recording', since: 0 }]
  const recorder = await findRecorder(context)
  recorder?.on('modeChanged', (mode) => modes.push({ mode, since: Date.now() }))
  // Of the same millisecond the action is the earlier one: a choice in the toolbar takes a message to arrive.
  return { wasPaused: (at) => modes.findLast(({ since }) => since < at)?.mode !== 'recording' }
}

// --- internal ---

/** What Playwright's recorder says of a check. */
interface Assertion {
  readonly name: string
  readonly selector?: string
  readonly text?: string
  readonly value?: string
  readonly checked?: boolean
  readonly ariaSnapshot?: string
}

interface RecordingContext {
  _startRecording(
    options: { readonly language: string },
    sink: { actionAdded(page: Page, action: Assertion): void },
  ): Promise<void>
}

interface ServerRecorder {
  on(event: 'modeChanged', listener: (mode: string) => void): void
}

async function findRecorder(context: BrowserContext): Promise<ServerRecorder | undefined> {
  const server = internalsOf<Record<symbol, Promise<ServerRecorder> | undefined>>(context) ?? {}
  const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'recorderSymbol')
  return key && server[key]
}

async function toCheck(page: Page, assertion: Assertion): Promise<RecordedCheck> {
  const { selector = '', ariaSnapshot } = assertion
  const deadline = createDeadline(DESCRIPTION_TIMEOUT_MS, new AbortController().signal, clock)
  const described = await describeElement(page, { selector }, deadline, 'text-check')
  const known = await describeSelector(page, selector)
  const element = described ? { ...described, locators: known.locators } : known
  if (ariaSnapshot !== undefined) return { element, checks: [], aria: ariaSnapshot, not: false }
  return { element, checks: [toElementCheck(assertion)], not: false }
}

function toElementCheck({ name, text, value, checked }: Assertion): ElementCheck {
  if (name === 'assertText') return { kind: 'text', text: text ?? '' }
  if (name === 'assertValue') return { kind: 'value', value: value ?? '' }
  if (name === 'assertChecked') return { kind: 'state', state: checked ? 'checked' : 'unchecked' }
  return { kind: 'state', state: 'visible' }
}
