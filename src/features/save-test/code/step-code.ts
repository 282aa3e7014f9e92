import type { ClickOptions, FieldValue } from '../../../core/base/action.ts'
import { parseChord } from '../../../core/base/text/key-names.ts'
import type {
  RecordedAction,
  RecordedElement,
  RecordedStep,
} from '../../../core/sessions/types/recorded-step.ts'
import { quoteText } from '../../lib/replay/literals.ts'
import { isForSockets } from '../../mock/mock-rule.ts'
import type {} from '../../states/page-storage.ts'
import { checkCode } from './check-code.ts'
import { type ActionScope, callOn, type CodeScope, frameOf } from './code-scope.ts'
import type { DialogAnswer, TestStep } from './divide-steps.ts'
import { emulationCode } from './emulation-code.ts'
import { listCode, objectCode } from './format-value.ts'
import { mockCode, socketMockCode } from './mock-code.ts'
import { blockCode } from './print-code.ts'
import { pathOf } from './url-code.ts'

/** The statements, with what must be prepared before them. */
export function stepCode({ step, dialogs }: TestStep, scope: CodeScope): readonly string[] {
  const { action, openedTab } = step
  if (action.kind === 'openTab') return openTabCode(openedTab ?? step.tab, scope)
  const tab = (action.kind === 'closeTab' ? action.id : undefined) ?? step.tab
  const knownPage = scope.pageOf(tab)
  const page = knownPage ?? scope.addPage(tab, 'popup')
  const actionScope = { ...scope, page }
  const { before, after } = expectedDialogCode(dialogs, actionScope)
  const code = [...(knownPage === undefined ? foundPageCode(page, scope) : []), ...before]
  const statements = [...actionCode(action, step, actionScope), ...after]
  if (openedTab === undefined || scope.pageOf(openedTab) !== undefined) return [...code, ...statements]
  const popup = scope.addPage(openedTab, 'popup')
  const promise = scope.variable(`${popup}Promise`)
  return [
    ...code,
    `const ${promise} = ${page}.waitForEvent('popup');`,
    ...statements,
    `const ${popup} = await ${promise};`,
  ]
}

// --- internal ---

function actionCode(action: RecordedAction, step: RecordedStep, scope: ActionScope): readonly string[] {
  switch (action.kind) {
    case 'navigate':
      return navigateCode(action, scope)
    case 'history':
      return historyCode(action, scope)
    case 'click':
      return clickCode(action, scope)
    case 'type':
      return typeCode(action, scope)
    case 'fill':
      return fillCode(action, scope)
    case 'submit':
      return submitCode(action, scope)
    case 'select':
      return selectCode(action.element, action.values, scope)
    case 'hover':
      return [callOn(scope, action.element, 'hover')]
    case 'drag':
      return [callOn(scope, action.element, 'dragTo', [scope.locator(action.to, scope.page)])]
    case 'press':
      return pressCode(action, scope)
    case 'upload':
      return uploadCode(action, scope)
    case 'dialog':
      return dialogCode([action], scope)
    case 'openTab':
      return []
    case 'closeTab':
      return [`await ${scope.page}.close();`]
    case 'emulate':
      return emulationCode(action.change, scope)
    case 'clock':
      return clockCode(action.time, scope)
    case 'seed':
      return seedCode(action.seed, scope)
    case 'passkeys':
      return passkeysCode(action, scope)
    case 'other':
      return [`// Not repeated here: what the tool ${scope.text.title(action.tool)} did.`]
    case 'mock':
      return isForSockets(action.rule) ? socketMockCode(action.rule, scope) : mockCode(action.rule, scope)
    case 'check':
      return checkCode(action.check, step, scope)
  }
}

const HISTORY_CALLS = { back: 'goBack', forward: 'goForward', reload: 'reload' } as const

const historyCode = (
  { direction, ...loading }: ActionOf<'history'>,
  scope: ActionScope,
): readonly string[] => [`await ${scope.page}.${HISTORY_CALLS[direction]}(${loadOptions(loading)});`]

function navigateCode({ url, ...loading }: ActionOf<'navigate'>, scope: ActionScope): readonly string[] {
  const { isHydrated = false, isEndless = false } = loading
  const options = loadOptions(loading)
  const address = scope.text.url(pathOf(url, scope.origin))
  return [
    ...(isEndless ? ['// The page loads something that has no end.'] : []),
    ...(isHydrated ? ['// The server renders this page: it can be used once its scripts have loaded.'] : []),
    `await ${scope.page}.goto(${address}${options && `, ${options}`});`,
  ]
}

function loadOptions({
  isHydrated = false,
  isEndless = false,
}: Pick<ActionOf<'navigate'>, 'isHydrated' | 'isEndless'>): string {
  const waitUntil = isEndless ? 'domcontentloaded' : isHydrated ? 'networkidle' : undefined
  return waitUntil === undefined ? '' : `{ waitUntil: '${waitUntil}' }`
}

function openTabCode(tab: string, scope: CodeScope): readonly string[] {
  const page = scope.addPage(tab, 'page')
  return [`const ${page} = await ${scope.use('context')}.newPage();`]
}

// A tab of which no step says how it was opened: the newest one.
function foundPageCode(page: string, scope: CodeScope): readonly string[] {
  const context = scope.use('context')
  return [
    `await expect.poll(() => ${context}.pages().length).toBeGreaterThan(1);`,
    `const ${page} = ${context}.pages().at(-1)!;`,
  ]
}

/** What answers the dialogs of an action, and what fails if the only one has not come. */
function expectedDialogCode(
  dialogs: readonly DialogAnswer[],
  scope: ActionScope,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [dialog, ...others] = dialogs
  if (!dialog || others.length > 0) return { before: dialogCode(dialogs, scope), after: [] }
  const promise = scope.variable('dialogPromise')
  const handler = `(dialog) => ${answerCode(dialog, scope)}`
  return {
    before: [`const ${promise} = ${scope.page}.waitForEvent('dialog').then(${handler});`],
    after: [`await ${promise};`],
  }
}

// A dialog is answered by the listener that was added last, so each adds the one for the next dialog.
function dialogCode(dialogs: readonly DialogAnswer[], scope: ActionScope): readonly string[] {
  const [first, ...others] = dialogs
  if (!first) return []
  const answer = answerCode(first, scope)
  const handler =
    others.length === 0
      ? `(dialog) => ${answer}`
      : `async (dialog) => ${blockCode([...dialogCode(others, scope), `await ${answer};`])}`
  return [`${scope.page}.once('dialog', ${handler});`]
}

function answerCode({ accept, promptText }: DialogAnswer, scope: ActionScope): string {
  if (!accept) return 'dialog.dismiss()'
  return `dialog.accept(${promptText === undefined ? '' : scope.text.value(promptText)})`
}

/** `time` is in ISO 8601; undefined lets the clock run again. */
const clockCode = (time: string | undefined, scope: ActionScope): readonly string[] => [
  time === undefined
    ? `await ${scope.page}.clock.resume();`
    : `await ${scope.page}.clock.setFixedTime(${scope.text.value(time)});`,
]

/** The random numbers that a session has with this seed, except those of `crypto`. */
function seedCode(seed: number | undefined, scope: ActionScope): readonly string[] {
  if (seed === undefined) return ['// Not repeated here: the end of the random numbers of a seed.']
  const target = scope.routed === 'context' ? scope.use('context') : scope.page
  const random = blockCode([
    'state = (state + 0x6d2b79f5) >>> 0;',
    'let bits = Math.imul(state ^ (state >>> 15), state | 1);',
    'bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);',
    'return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;',
  ])
  const body = blockCode(['let state = seed >>> 0;', `Math.random = () => ${random};`])
  return [
    '// The same random numbers in every run.',
    `await ${target}.addInitScript((seed) => ${body}, ${seed});`,
  ]
}

// The state that the test begins with has the passkeys that were created.
function passkeysCode(
  { change, name, created = [] }: ActionOf<'passkeys'>,
  scope: ActionScope,
): readonly string[] {
  if (created.length > 0) return []
  const credentials = `${scope.use('context')}.credentials`
  if (change === 'set') return [`await ${credentials}.install();`]
  const filter = name === undefined ? '' : `{ rpId: ${scope.text.value(name)} }`
  const body = blockCode([`await ${credentials}.delete(passkey.id);`])
  return [`for (const passkey of await ${credentials}.get(${filter})) ${body}`]
}

type ActionOf<K extends RecordedAction['kind']> = Extract<RecordedAction, { kind: K }>

function typeCode(action: ActionOf<'type'>, scope: ActionScope): readonly string[] {
  const { element, text, clear = false, submit = false, delay = 0 } = action
  const keysCode = delay > 0 ? [`{ delay: ${delay} }`] : []
  const written = scope.text.value(text)
  if (!element) {
    const erase = clear ? ['ControlOrMeta+A', 'Delete'] : []
    return [
      ...erase.map((key) => keyboardCode(scope, 'press', [quoteText(key)])),
      ...(text === '' ? [] : [keyboardCode(scope, 'type', [written, ...keysCode])]),
      ...(submit ? [keyboardCode(scope, 'press', [quoteText('Enter')])] : []),
    ]
  }
  const isField = isTextField(element)
  // A line break that is typed may also send the text.
  const canFill = isField && delay === 0 && !action.needsKeys && !/[\r\n]/.test(text)
  const enter = submit ? [callOn(scope, element, 'press', [quoteText('Enter')])] : []
  if (canFill && (element.isEmpty || clear)) return [callOn(scope, element, 'fill', [written]), ...enter]
  const end = isSingleLine(element) ? 'End' : 'ControlOrMeta+End'
  const start = clear
    ? callOn(scope, element, 'fill', ["''"])
    : callOn(scope, element, 'press', [quoteText(end)])
  const before = element.isEmpty ? [] : [start]
  const typing = text === '' ? [] : [callOn(scope, element, 'pressSequentially', [written, ...keysCode])]
  return [...before, ...typing, ...enter]
}

function fillCode({ element, value, isChoice }: ActionOf<'fill'>, scope: ActionScope): readonly string[] {
  if (isList(element)) return selectCode(element, [value].flat().map(String), scope)
  const checked = checkedOf(element, value)
  if (checked !== undefined) return [callOn(scope, element, checked ? 'check' : 'uncheck')]
  const text = scope.text.value([value].flat().join(', '))
  return [
    callOn(scope, element, 'fill', [text]),
    ...(isChoice ? [optionCode(containerOf(element, scope), text)] : []),
  ]
}

/** Where the options of a list are that opens. */
const containerOf = (element: RecordedElement, scope: ActionScope): string =>
  frameOf(scope.locator(element, scope.page)) ?? scope.page

const optionCode = (container: string, text: string): string =>
  `await ${container}.getByRole('option', { name: ${text}, exact: true }).click();`

/** Selects in a `<select>`; in any other list the options are clicked. */
function selectCode(
  element: RecordedElement,
  values: readonly string[],
  scope: ActionScope,
): readonly string[] {
  const texts = values.map((value) => scope.text.value(value))
  // What is not known is most likely a <select>; so is what a label is for.
  if (/^(?:select|label|)$/.test(element.type)) {
    return [callOn(scope, element, 'selectOption', [oneOrList(texts)])]
  }
  const isOpen = element.role === 'listbox'
  const options = texts.map((text) =>
    optionCode(isOpen ? scope.locator(element, scope.page) : containerOf(element, scope), text),
  )
  if (isOpen) return options
  // A list of several choices stays open.
  const close = texts.length > 1 ? [keyboardCode(scope, 'press', [quoteText('Escape')])] : []
  return [callOn(scope, element, 'click'), ...options, ...close]
}

/** Presses Enter in a field of one line. Elsewhere the form is submitted by a script, because Enter would do something else. */
function submitCode({ element }: ActionOf<'submit'>, scope: ActionScope): readonly string[] {
  if (isSingleLine(element)) return [callOn(scope, element, 'press', [quoteText('Enter')])]
  return [
    `await ${scope.locator(element, scope.page)}.locator('xpath=ancestor-or-self::form').evaluate((form: HTMLFormElement) => form.requestSubmit());`,
  ]
}

/** Whether it is an input or a textarea whose value is a text. */
const isTextField = ({ type }: RecordedElement): boolean =>
  type === 'textarea' ||
  (isInputType(type) && !/^(checkbox|radio|file|button|submit|reset|image)$/.test(type))

const isInputType = (type: string): boolean =>
  /^(text|search|email|password|tel|url|number|date|time|month|week|datetime-local|color|range|hidden|checkbox|radio|file|button|submit|reset|image)$/.test(
    type,
  )

const isSingleLine = (element: RecordedElement): boolean =>
  isTextField(element) && element.type !== 'textarea'

// An input that is a combobox is filled as a field.
const isList = (element: RecordedElement): boolean =>
  element.type === 'select' || (/^(combobox|listbox)$/.test(element.role) && !isTextField(element))

function checkedOf({ type, role }: RecordedElement, value: FieldValue): boolean | undefined {
  if (typeof value === 'boolean') return value
  const isCheck = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/
  if (!isCheck.test(role) && !isCheck.test(type)) return undefined
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const keyboardCode = (scope: ActionScope, method: string, items: readonly string[]): string =>
  `await ${scope.page}.keyboard.${method}(${items.join(', ')});`

const oneOrList = (codes: readonly string[]): string =>
  codes.length === 1 ? codes.join('') : listCode(codes)

function clickCode({ element, options }: ActionOf<'click'>, scope: ActionScope): readonly string[] {
  const isDouble = options.clickCount === 2
  const items = clickOptions(isDouble ? { ...options, clickCount: 1 } : options, scope)
  return [callOn(scope, element, isDouble ? 'dblclick' : 'click', items)]
}

function pressCode({ element, key, holdMs = 0 }: ActionOf<'press'>, scope: ActionScope): readonly string[] {
  const chord = parseChord(key)
  const name = scope.text.value(chord.ok ? chord.value : key)
  const items = [name, ...(holdMs > 0 ? [`{ delay: ${holdMs} }`] : [])]
  return element ? [callOn(scope, element, 'press', items)] : [keyboardCode(scope, 'press', items)]
}

/** Files are set on a file input, dropped where they were dropped, and elsewhere chosen in the chooser that a click opens. */
function uploadCode(
  { element, paths, isDrop = false }: ActionOf<'upload'>,
  scope: ActionScope,
): readonly string[] {
  const argument = oneOrList(paths.map((path) => scope.fileCode(path)))
  if (isDrop) return [callOn(scope, element, 'drop', [objectCode([['files', argument]], scope.text)])]
  if (element.type === 'file' || element.type === 'label')
    return [callOn(scope, element, 'setInputFiles', [argument])]
  const promise = scope.variable('fileChooserPromise')
  const chooser = scope.variable('fileChooser')
  return [
    `const ${promise} = ${scope.page}.waitForEvent('filechooser');`,
    callOn(scope, element, 'click'),
    `const ${chooser} = await ${promise};`,
    `await ${chooser}.setFiles(${argument});`,
  ]
}

function clickOptions(options: ClickOptions, { text }: ActionScope): readonly string[] {
  const { button = 'left', clickCount = 1, modifiers = [], position, force = false } = options
  const fields = [
    ['button', button === 'left' ? undefined : quoteText(button)],
    ['clickCount', clickCount === 1 ? undefined : String(clickCount)],
    ['modifiers', modifiers.length === 0 ? undefined : listCode(modifiers.map(quoteText))],
    ['position', position && `{ x: ${position.x}, y: ${position.y} }`],
    ['force', force ? 'true' : undefined],
  ] as const
  return fields.some(([, code]) => code !== undefined) ? [objectCode(fields, text)] : []
}
