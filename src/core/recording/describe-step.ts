import type { RecordedAction, RecordedCheck, RecordedElement } from './recorded-step.ts'
import { clip } from '../text/clip.ts'

const TEXT_LIMIT_CHARS = 80

/** A line for the person, such as `click button "Add to cart"`. Values of secret fields are not in it. */
export function describeStep(action: RecordedAction): string {
  switch (action.kind) {
    case 'navigate':
      return `go to ${clip(action.url, 2 * TEXT_LIMIT_CHARS)}`
    case 'history':
      return action.direction === 'reload' ? 'reload' : `go ${action.direction}`
    case 'click':
      return `${verbOf(action.options)} ${nameOf(action.element)}`
    case 'fill':
      return typeof action.value === 'boolean'
        ? `${action.value ? 'check' : 'uncheck'} ${nameOf(action.element)}`
        : `fill ${nameOf(action.element)} with ${valueOf(action.element, String(action.value))}`
    case 'select':
      return `select ${action.values.map(quote).join(', ') || 'nothing'} in ${nameOf(action.element)}`
    case 'press':
      return `press ${action.key}${action.element ? ` in ${nameOf(action.element)}` : ''}`
    case 'drag':
      return `drag ${nameOf(action.element)} to ${nameOf(action.to)}`
    case 'upload':
      return `choose ${action.paths.map((path) => quote(path.replace(/^.*[\\/]/, ''))).join(', ') || 'no file'} for ${nameOf(action.element)}`
    case 'dialog':
      return `${action.accept ? 'accept' : 'dismiss'} the dialog${action.promptText === undefined ? '' : ` with ${quote(action.promptText)}`}`
    case 'openTab':
      return 'open a tab'
    case 'closeTab':
      return 'close the tab'
    case 'check':
      return `check that ${describeCheck(action.check)}`
    default:
      return action.kind
  }
}

// --- internal ---

const quote = (text: string): string =>
  JSON.stringify(clip(text.replace(/\s+/g, ' ').trim(), TEXT_LIMIT_CHARS))

const valueOf = ({ isSecret }: RecordedElement, value: string): string => (isSecret ? '•••' : quote(value))

function nameOf({ role, name, type, locators }: RecordedElement): string {
  if (name !== '') return `${role === '' || role === 'generic' ? type : role} ${quote(name)}`
  return locators[0]?.code ?? type
}

function verbOf({ clickCount = 1, button }: { clickCount?: number; button?: string }): string {
  const times = clickCount === 1 ? '' : clickCount === 2 ? 'double-' : `${clickCount} times `
  return `${button === undefined || button === 'left' ? '' : `${button}-`}${times}click`
}

function describeCheck({ element, checks, aria }: RecordedCheck): string {
  const subject = element ? nameOf(element) : 'the page'
  if (aria !== undefined) return `${subject} has these contents`
  const conditions = checks.map((check) => {
    if (check.kind === 'state') return `is ${check.state}`
    if (check.kind === 'count') return `matches ${check.count}`
    const expected = check.kind === 'value' ? check.value : check.text
    return `has the ${check.kind} ${element ? valueOf(element, expected) : quote(expected)}`
  })
  return `${subject} ${conditions.join(' and ')}`
}
