// Clicks, keys, uploads and tabs, as statements of a test.

import type { RecordedAction, RecordedClick } from '../../recording/recorded-step.ts'
import { parseChord } from '../../text/key-names.ts'
import { objectCode } from '../format-value.ts'
import { quoteText } from '../literals.ts'
import { callCode, type Code } from '../print-code.ts'
import { callOn, type ActionScope } from './action-scope.ts'

type ActionOf<K extends RecordedAction['kind']> = Extract<RecordedAction, { kind: K }>

export function clickCode({ element, options }: ActionOf<'click'>, scope: ActionScope): readonly Code[] {
  const isDouble = options.clickCount === 2
  const items = clickOptions(isDouble ? { ...options, clickCount: 1 } : options, scope)
  return [callOn(scope, element, isDouble ? 'dblclick' : 'click', items)]
}

export function pressCode(
  { element, key, holdMs = 0 }: ActionOf<'press'>,
  scope: ActionScope,
): readonly Code[] {
  const chord = parseChord(key)
  const name = scope.text.value(chord.ok ? chord.value : key)
  const items = [name, ...(holdMs > 0 ? [`{ delay: ${holdMs} }`] : [])]
  return element
    ? [callOn(scope, element, 'press', items)]
    : [scope.statement(['.keyboard', callCode('.press', items)])]
}

/** Files are set on a file input, dropped where they were dropped, and elsewhere chosen in the chooser that a click opens. */
export function uploadCode(
  { element, paths, isDrop = false }: ActionOf<'upload'>,
  scope: ActionScope,
): readonly Code[] {
  const files = paths.map((path) => scope.fileCode(path))
  const argument: Code = files.length === 1 ? (files[0] as Code) : { open: '[', items: files, close: ']' }
  if (isDrop) return [callOn(scope, element, 'drop', [objectCode([['files', argument]], scope.text)])]
  if (element.type === 'file' || element.type === 'label')
    return [callOn(scope, element, 'setInputFiles', [argument])]
  const promise = scope.variable('fileChooserPromise')
  const chooser = scope.variable('fileChooser')
  return [
    `const ${promise} = ${scope.page}.waitForEvent('filechooser');`,
    callOn(scope, element, 'click', []),
    `const ${chooser} = await ${promise};`,
    [`await ${chooser}`, callCode('.setFiles', [argument]), ';'],
  ]
}

// --- internal ---

function clickOptions(options: RecordedClick, { text }: ActionScope): readonly Code[] {
  const { button = 'left', clickCount = 1, modifiers = [], position, force = false } = options
  const fields = [
    ['button', button === 'left' ? undefined : quoteText(button)],
    ['clickCount', clickCount === 1 ? undefined : String(clickCount)],
    [
      'modifiers',
      modifiers.length === 0 ? undefined : { open: '[', items: modifiers.map(quoteText), close: ']' },
    ],
    ['position', position && `{ x: ${position.x}, y: ${position.y} }`],
    ['force', force ? 'true' : undefined],
  ] as const
  return fields.some(([, code]) => code !== undefined) ? [objectCode(fields, text)] : []
}
