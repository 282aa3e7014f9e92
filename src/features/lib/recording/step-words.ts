// What was done and verified, in words for people: `Filled Coupon with TEA10`. A value is named only where a picture of the page shows it too.

import type { ElementCheck } from '../../../core/base/action.ts'
import { isSecretLabel } from '../../../core/base/redaction/secret-names.ts'
import { clip, normalizeSpace } from '../../../core/base/text/clip.ts'
import type {
  RecordedAction,
  RecordedCheck,
  RecordedElement,
} from '../../../core/sessions/types/recorded-step.ts'
import { isSecretEntry } from './secret-entry.ts'

/** An action as a sentence without a full stop, or a check as what holds: `Thank you is shown`. */
export function wordsOf(action: RecordedAction): string {
  const name = 'element' in action && action.element ? nameOf(action.element) : ''
  switch (action.kind) {
    case 'check':
      return wordsOfCheck(action.check)
    case 'navigate':
      return `Opened ${addressOf(action.url)}`
    case 'history':
      return action.direction === 'reload' ? 'Reloaded the page' : `Went ${action.direction}`
    case 'click':
      return `${action.options.clickCount === 2 ? 'Double-clicked' : 'Clicked'} ${name}`
    case 'type':
      return wordsOfEntry(action, action.element ? name : 'the page', action.text)
    case 'fill':
      if (action.element.type === 'select') return `Selected ${shorten(String(action.value))} in ${name}`
      if (typeof action.value === 'boolean') return `${action.value ? 'Checked' : 'Unchecked'} ${name}`
      return wordsOfEntry(action, name, [action.value].flat().join(', '))
    case 'select':
      return `Selected ${shorten(action.values.join(', '))} in ${name}`
    case 'submit':
      return `Submitted the form of ${name}`
    case 'hover':
      return `Pointed at ${name}`
    case 'drag':
      return `Dragged ${name} to ${nameOf(action.to)}`
    case 'press':
      return `Pressed ${action.key}${action.element ? ` in ${name}` : ''}`
    case 'upload':
      return `Chose ${action.paths.length === 1 ? 'a file' : `${action.paths.length} files`} for ${name}`
    case 'dialog':
      return `${action.accept ? 'Accepted' : 'Dismissed'} the dialog`
    case 'openTab':
      return 'Opened a tab'
    case 'closeTab':
      return 'Closed a tab'
    case 'other':
      return wordsOfTool(action.tool)
    default:
      return wordsOfTool(action.kind)
  }
}

/** A call that was not recorded, by its tool and what it names of the page. */
export function wordsOfCall(tool: string, subject: string): string {
  const target = nameOfSelector(subject)
  if (tool === 'navigate') return `Opened ${addressOf(subject)}`
  const verb = doneWords[tool]
  return verb === undefined ? wordsOfTool(tool) : `${verb} ${target}`
}

/** A call that failed. */
export function wordsOfFailure(tool: string, subject: string, code: string): string {
  if (tool === 'wait_for' && subject === '') return `Waited in vain (${code})`
  const target = tool === 'navigate' ? addressOf(subject) : subject === '' ? '' : nameOfSelector(subject)
  const what = failedWords[tool] ?? `run ${tool.replaceAll('_', ' ')}${target === '' ? '' : ' for'}`
  return `Failed to ${what} ${target}`.trim() + ` (${code})`
}

// --- internal ---

const TEXT_LIMIT_CHARS = 60

const shorten = (text: string): string => clip(normalizeSpace(text), TEXT_LIMIT_CHARS)

/** The path of an address: the page is the same wherever its server runs. */
function addressOf(url: string): string {
  const [, path] = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(\/.*)$/.exec(url) ?? []
  return url.startsWith('data:') ? 'a page of data' : shorten(path ?? url)
}

function nameOf(element: RecordedElement): string {
  const { name, role, type, locators } = element
  if (name !== '') return shorten(name)
  return role === '' && type === '' ? nameOfSelector(locators[0]?.code ?? '') : `the ${role || type}`
}

/** What people see of what a selector names: its last text. A selector is no word for them. */
function nameOfSelector(selector: string): string {
  const texts = [...selector.matchAll(/(["'])((?:\\.|(?!\1).)+)\1/g)].map(([, , text = '']) => text)
  const [, named] = /^(?:text|label|button|link|textbox)[=:]\s*(.+)$/.exec(selector) ?? []
  const [, identifier] = /^[a-z]*[#.]([a-z][\w-]*)$/i.exec(selector) ?? []
  const name = texts.at(-1) ?? named ?? identifier
  return name === undefined || /[[\]{}>]/.test(name) ? 'an element' : shorten(name)
}

/** The value is left out where the video covers the field, and where it is not known what the field is. */
function wordsOfEntry(
  action: Extract<RecordedAction, { readonly kind: 'type' | 'fill' }>,
  field: string,
  value: string,
): string {
  if (!isShown(action.element) || isSecretEntry(action)) return `Filled ${field}`
  return value === '' ? `Emptied ${field}` : `Filled ${field} with ${shorten(value)}`
}

const isShown = (element: RecordedElement | undefined): boolean =>
  element !== undefined && element.type !== '' && !element.isSecret && !isSecretLabel(element.name)

function wordsOfCheck({ element, checks, aria, not, text, textGone, url }: RecordedCheck): string {
  const subject = element ? nameOf(element) : ''
  const parts = [
    ...checks.map((check) => `${subject} ${verbOf(check, isShown(element))}`),
    ...(aria === undefined ? [] : [`the page has ${shorten(aria)}`]),
  ].map((part) => (not ? `not: ${part}` : part))
  if (text !== undefined) parts.push(`${shorten(text)} is shown`)
  if (textGone !== undefined) parts.push(`${shorten(textGone)} is gone`)
  if (url !== undefined) parts.push(`the address is ${addressOf(url)}`)
  return parts.join(', ')
}

function verbOf(check: ElementCheck, isValueShown: boolean): string {
  switch (check.kind) {
    case 'state':
      return check.state === 'visible' ? 'is shown' : `is ${check.state}`
    case 'value':
      return isValueShown ? `has the value ${shorten(check.value)}` : 'has its value'
    case 'text':
      return `says ${shorten(check.text)}`
    case 'count':
      return `is there ${check.count} ${check.count === 1 ? 'time' : 'times'}`
  }
}

const doneWords: Readonly<Record<string, string>> = {
  click: 'Clicked',
  type: 'Filled',
  select: 'Selected in',
  hover: 'Pointed at',
  drag: 'Dragged',
  upload_file: 'Chose files for',
  press_key: 'Pressed a key in',
}

const failedWords: Readonly<Record<string, string>> = {
  click: 'click',
  type: 'fill',
  select: 'select in',
  hover: 'point at',
  drag: 'drag',
  navigate: 'open',
  wait_for: 'see',
  press_key: 'press a key in',
  fill_form: 'fill the form',
  upload_file: 'choose files for',
  evaluate: 'run a script',
}

const toolWords: Readonly<Record<string, string>> = {
  evaluate: 'Ran a script',
  emulate: 'Changed what is emulated',
  mock: 'Mocked responses',
  clock: 'Set the clock',
  seed: 'Seeded random numbers',
  storage: 'Changed the storage',
  storage_state: 'Changed the storage',
  mouse: 'Moved the mouse',
  touch: 'Touched the page',
  fill_form: 'Filled a form',
  history: 'Went through the history',
  restart_server: 'Restarted the server',
}

const wordsOfTool = (tool: string): string => toolWords[tool] ?? `Called ${tool.replaceAll('_', ' ')}`
