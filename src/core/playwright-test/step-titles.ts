// What the parts of a test are called, and the test as a whole.

import {
  codeOf,
  type RecordedAction,
  type RecordedElement,
  type RecordedStep,
} from '../recording/recorded-step.ts'
import { isSecretEntry } from '../recording/recording.ts'
import { clip, normalizeSpace } from '../text/clip.ts'
import { isStepOfUser, divideSteps } from './divide-steps.ts'

/** A title for each part, such as `Sign in` or `Delete "Buy milk"`; no two are the same. */
export function titlesOf(parts: readonly (readonly RecordedStep[])[]): readonly string[] {
  const forms = parts.map((part, index) => formNameOf(part, parts.slice(0, index)))
  const titles = parts.map((part, index) => {
    const title = upperFirst(shorten(forms[index] ?? '')) || titleOf(part)
    return isEmptyAttempt(part, parts[index + 1]) ? `${title} without input` : title
  })
  const isRepeated = (title: string) => titles.filter((other) => other === title).length > 1
  const counts = new Map<string, number>()
  return parts.map((part, index) => {
    const title = titles[index] ?? ''
    const isForm = forms[index] !== undefined
    const needsObject =
      isRepeated(title) || GENERIC_TITLE.test(title) || (isForm && !/ without input$/.test(title))
    const object = needsObject ? objectOf(part, isForm) : undefined
    const name = object === undefined || title.includes(object) ? title : `${title} "${object}"`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : count === 2 ? `${name} again` : `${name} (${count})`
  })
}

/** The last thing that the user did in a part. */
const lastActionOf = (part: readonly RecordedStep[]): RecordedStep | undefined => part.findLast(isStepOfUser)

/** `a, b and c`. */
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

// --- internal ---

const NAME_LIMIT_CHARS = 40
const LISTED_TITLES = 3

/** Titles that say little without their object. */
const GENERIC_TITLE =
  /^(?:add|save|create|delete|remove|edit|update|ok|submit|confirm|close|open|done|send|apply|yes|next|continue|complete)$/i

/** Links that say what they do. */
const IMPERATIVE =
  /^(?:add|apply|back|buy|cancel|check|continue|create|delete|download|edit|get|go|log|new|next|open|previous|proceed|read|remove|report|save|see|show|sign|start|try|view)\b/i

function titleOf(part: readonly RecordedStep[]): string {
  const opener = part.find(({ openedTab, action }) => openedTab !== undefined && action.kind === 'click')
  if (opener?.action.kind === 'click' && nameOf(opener.action.element) !== '')
    return opener.action.element.role === 'button'
      ? upperFirst(nameOf(opener.action.element))
      : openTitle(nameOf(opener.action.element))
  const last = lastActionOf(part)
  if (!last) return 'Check the page'
  const { action } = last
  if (action.kind === 'click' && nameOf(action.element) !== '')
    return menuTitle(part) ?? clickTitle(action.element)
  if (action.kind === 'type' && action.submit && !isSecretEntry(action) && action.text.trim() !== '')
    return `Enter "${shorten(action.text)}"`
  const title = titleOfKind(last)
  return title ?? fieldsTitle(part) ?? navigationTitle(part) ?? 'Use the page'
}

function titleOfKind({ action }: RecordedStep): string | undefined {
  if (action.kind === 'drag') return joinNames('Drag', [action.element, action.to], ' to ')
  if (action.kind === 'upload') return `Upload ${shorten(action.paths.map(baseName).join(', '))}`
  if (action.kind === 'openTab') return 'Open a tab'
  if (action.kind === 'fill' && typeof action.value === 'boolean')
    return joinNames(action.value ? 'Check' : 'Uncheck', [action.element], '')
  if (action.kind === 'history')
    return { back: 'Go back', forward: 'Go forward', reload: 'Reload the page' }[action.direction]
  if (action.kind === 'hover') return joinNames('Hover', [action.element], '')
  if (action.kind === 'press' && !/^(?:enter|numpadenter|return)$/i.test(action.key))
    return `Press ${action.key}`
  return undefined
}

function clickTitle(element: RecordedElement): string {
  const name = nameOf(element)
  if (element.role === 'tab' || (element.role === 'link' && !IMPERATIVE.test(name))) return openTitle(name)
  if (element.role === 'menuitem') return `Choose ${name}`
  if (/^(?:option|radio|menuitemradio)$/.test(element.role)) return `Select ${name}`
  return /^(?:checkbox|switch|menuitemcheckbox)$/.test(element.role) ? `Toggle ${name}` : upperFirst(name)
}

/** `Sort: Title` for an item of a menu that a button `Sort: Newest` has opened. */
function menuTitle(part: readonly RecordedStep[]): string | undefined {
  const [opener, item] = part
    .filter(isStepOfUser)
    .slice(-2)
    .map(({ action }) => (action.kind === 'click' ? action.element : undefined))
  if (opener?.role !== 'button' || item?.role !== 'menuitem' || IMPERATIVE.test(nameOf(item)))
    return undefined
  const menu = nameOf(opener).split(':')[0]?.trim()
  return menu ? `${upperFirst(menu)}: ${nameOf(item)}` : undefined
}

// A number at the end counts what is behind the link.
const openTitle = (name: string): string =>
  /^open\b/i.test(name) ? upperFirst(name) : `Open ${name.replace(/(?<=\S)\s*\(\d+\)$/, '')}`

function joinNames(
  verb: string,
  elements: readonly RecordedElement[],
  separator: string,
): string | undefined {
  const names = elements.map(nameOf)
  return names.includes('') ? undefined : `${verb} ${names.join(separator)}`
}

/** `Fill in Name and Email`. */
function fieldsTitle(part: readonly RecordedStep[]): string | undefined {
  const fields = part.flatMap(({ action }) =>
    (action.kind === 'type' || action.kind === 'fill' || action.kind === 'select') && action.element
      ? [nameOf(action.element)]
      : [],
  )
  const names = [...new Set(fields)].filter(Boolean)
  if (names.length === 0) return undefined
  return `Fill in ${names.length > LISTED_TITLES ? 'the form' : joinWords(names)}`
}

function navigationTitle(part: readonly RecordedStep[]): string | undefined {
  const step = part.find(({ action }) => action.kind === 'navigate')
  if (step?.action.kind !== 'navigate') return undefined
  const path = pathnameOf(step.action.url)
  return path === '/' ? 'Open the start page' : `Open ${shorten(path)}`
}

/** What the last action was about: the row that its element is in, or the first text that was entered before; of a form, also the row of what
 * opened it. */
function objectOf(part: readonly RecordedStep[], isForm: boolean): string | undefined {
  const last = lastActionOf(part)?.action
  const openers = isForm ? part.map(({ action }) => action).filter(({ kind }) => kind === 'click') : []
  const value = firstValueOf(part)
  return rowOf(last) ?? value ?? openers.map(rowOf).find(Boolean)
}

function rowOf(action: RecordedAction | undefined): string | undefined {
  const code = action && 'element' in action ? (action.element?.locators[0]?.code ?? '') : ''
  const row = ROW_NAME.exec(code.slice(0, Math.max(0, code.lastIndexOf(').'))))?.[1]
  return row === undefined ? undefined : shorten(row.replace(/\\(.)/g, '$1'))
}

// Of a login it says nothing who it was.
function firstValueOf(part: readonly RecordedStep[]): string | undefined {
  const isSecret = ({ action }: RecordedStep) =>
    isSecretEntry(action) || ('element' in action && action.element?.isSecret)
  if (part.some(isSecret)) return undefined
  for (const { action } of part) {
    if (action.kind !== 'type' && action.kind !== 'fill') continue
    const value = action.kind === 'type' ? action.text : action.value
    if (typeof value !== 'string' || value.trim() === '') continue
    return shorten(value)
  }
  return undefined
}

const ROW_NAME =
  /(?:hasText: |getByRole\('(?:row|listitem|article|group|treeitem)', \{ name: )'((?:[^'\\]|\\.)*)'/

const nameOf = ({ name }: RecordedElement): string => shorten(name)

const shorten = (text: string): string => clip(normalizeSpace(text), NAME_LIMIT_CHARS)

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

const pathnameOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] || '/'

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A title for a test that has none, such as `sign in and add to cart`: at most 70 characters, and no name of a file. */
export function describeTest(steps: readonly RecordedStep[]): string {
  const parts = divideSteps(steps)
  const titles = titlesOf(parts)
  const isOpening = (part: readonly RecordedStep[]) => lastActionOf(part)?.action.kind === 'navigate'
  const main = titles.filter((_, index) => !isOpening(parts[index] ?? []))
  const names = [...new Set(main.length > 0 ? main : titles)].map(lowerFirst)
  const [first = 'recorded session'] = names
  const last = names.at(-1) ?? first
  const candidates = [
    ...(names.length <= DESCRIBED_TITLES ? [joinWords(names)] : []),
    joinWords([...new Set([first, last])]),
    last,
  ]
  return (
    candidates.find(({ length }) => length > 0 && length <= TITLE_LIMIT_CHARS) ??
    clip(last, TITLE_LIMIT_CHARS - 1)
  )
}

const TITLE_LIMIT_CHARS = 70
const DESCRIBED_TITLES = 3

// PDF export stays as it is.
const lowerFirst = (text: string): string =>
  /^\p{Lu}(?:\p{Ll}|\s|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text

/** A button such as Save says little. What the form is called that the last action of a part sends: its dialog, or else what opened it in this part or in an earlier one that
 * ends with the same button. Undefined if the action says itself what it does. */
function formNameOf(
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
function isEmptyAttempt(part: readonly RecordedStep[], next: readonly RecordedStep[] | undefined): boolean {
  const button = elementOf(part.findLast(isStepOfUser))
  const nextButton = elementOf(next?.findLast(isStepOfUser))
  if (button?.role !== 'button' || /^(?:next|previous|back|continue)$/i.test(button.name.trim())) return false
  return codeOf(button) === codeOf(nextButton) && !part.some(isEntry) && next?.some(isEntry) === true
}

const isEntry = ({ action }: RecordedStep): boolean =>
  ['type', 'fill', 'select', 'upload'].includes(action.kind)

const SENDING_NAME = /^(?:add|save|create|delete|remove|update|ok|submit|confirm|done|send|apply|yes)$/i

const DIALOG_NAME = /getByRole\('(?:alert)?dialog', \{ name: '((?:[^'\\]|\\.)*)'/
const TEXT_OF_CODE = /getByText\('((?:[^'\\]|\\.)*)'(?:, \{ exact: true \})?\)$/

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
