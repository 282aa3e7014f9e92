// The names of keys. Playwright accepts one spelling of each; clients use others, in any case.

import { findClosestName } from './closest-name.ts'

/** A chord in Playwright's spelling, or the part that is not the name of a key, with the closest name. */
export type Chord =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly unknown: string; readonly closestKey?: string }

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const createRange = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Every name that Playwright accepts, except printable characters. */
export const KEY_NAMES: readonly string[] = [
  ...['Escape', 'Backspace', 'Tab', 'Enter', 'CapsLock', 'Space', 'ContextMenu', 'PrintScreen', 'ScrollLock'],
  ...['Pause', 'PageUp', 'PageDown', 'Insert', 'Delete', 'Home', 'End', 'NumLock'],
  ...['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown'],
  ...['Shift', 'Control', 'Alt', 'Meta', 'ControlOrMeta', 'AltGraph'],
  ...[
    'ShiftLeft',
    'ControlLeft',
    'AltLeft',
    'MetaLeft',
    'ShiftRight',
    'ControlRight',
    'AltRight',
    'MetaRight',
  ],
  ...createRange(1, 12).map((index) => `F${index}`),
  ...letters.map((letter) => `Key${letter}`),
  ...createRange(0, 9).flatMap((digit) => [`Digit${digit}`, `Numpad${digit}`]),
  ...['Backquote', 'Minus', 'Equal', 'Backslash', 'BracketLeft', 'BracketRight', 'Semicolon', 'Quote'],
  ...['Comma', 'Period', 'Slash'],
  ...['Divide', 'Multiply', 'Subtract', 'Add', 'Decimal', 'Enter'].map((name) => `Numpad${name}`),
  ...['AudioVolumeMute', 'AudioVolumeDown', 'AudioVolumeUp'],
  ...['MediaTrackNext', 'MediaTrackPrevious', 'MediaPlayPause'],
]

/** Aliases, by the name of the key. */
export const KEY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  Control: ['Ctrl', 'Ctl'],
  Meta: ['Cmd', 'Command', 'Super', 'Win', 'Windows'],
  Alt: ['Option', 'Opt'],
  AltGraph: ['AltGr'],
  ControlOrMeta: ['CmdOrCtrl', 'CommandOrControl', 'CtrlOrCmd', 'CtrlOrMeta', 'Mod'],
  Escape: ['Esc'],
  Enter: ['Return'],
  Delete: ['Del'],
  Insert: ['Ins'],
  Space: ['Spacebar'],
  PageUp: ['PgUp'],
  PageDown: ['PgDn', 'PgDown'],
  ArrowUp: ['Up'],
  ArrowDown: ['Down'],
  ArrowLeft: ['Left'],
  ArrowRight: ['Right'],
  ContextMenu: ['Menu'],
  PrintScreen: ['PrtSc', 'PrtScn'],
  '+': ['Plus'],
}

/** Parses a key or a chord: `Ctrl+A`, `cmd + shift + z`, `Control++`. */
export function parseChord(text: string): Chord {
  const parts = splitChord(text).map((part) => part.trim() || part)
  const keys: string[] = []
  for (const part of parts) {
    const key = findKey(part)
    if (key === undefined) return { ok: false, unknown: part, ...suggestKey(part) }
    keys.push(key)
  }
  return { ok: true, value: keys.map((key) => toPressedKey(key, keys)).join('+') }
}

/** The character that a chord types on an American keyboard; undefined if it types none. */
export function characterOfChord(chord: string): string | undefined {
  const keys = splitChord(chord)
  const isShifted = keys.slice(0, -1).every((key) => key.startsWith('Shift'))
  if (keys.length > 1 && !isShifted) return undefined
  const key = keys.at(-1) ?? ''
  const letter = /^Key([A-Z])$/.exec(key)?.[1]?.toLowerCase()
  const character = letter ?? /^(?:Digit|Numpad)(\d)$/.exec(key)?.[1] ?? CHARACTERS[key] ?? key
  if (!/^[ -~]$/.test(character)) return undefined
  return keys.length > 1 ? (SHIFTED_CHARACTERS[character] ?? character.toUpperCase()) : character
}

/** The keys of a chord in Playwright's spelling. */
export const keysOfChord = (chord: string): readonly string[] => splitChord(chord)

const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ Space: ' ', Backquote: '`', Minus: '-', Equal: '=', Backslash: '\\', BracketLeft: '[' },
  ...{ BracketRight: ']', Semicolon: ';', Quote: "'", Comma: ',', Period: '.', Slash: '/' },
  ...{ NumpadDivide: '/', NumpadMultiply: '*', NumpadSubtract: '-', NumpadAdd: '+', NumpadDecimal: '.' },
}

const SHIFTED_CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [..."`1234567890-=[]\\;',./"].map((key, index) => [key, '~!@#$%^&*()_+{}|:"<>?'[index] ?? key]),
)

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

const keysByFoldedName = new Map<string, string>([
  ...Object.entries(KEY_ALIASES).flatMap(([key, names]) => names.map((name) => [fold(name), key] as const)),
  ...KEY_NAMES.map((name) => [fold(name), name] as const),
])

// As in Playwright: a plus with nothing before it is the key.
function splitChord(text: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const letter of text) {
    if (letter !== '+' || part.trim() === '') part += letter
    else {
      parts.push(part)
      part = ''
    }
  }
  return [...parts, part]
}

function findKey(part: string): string | undefined {
  if (/^[\n\r]$/.test(part)) return 'Enter'
  if (/^[ -~]$/.test(part)) return part
  return keysByFoldedName.get(fold(part))
}

// Shortcuts are written with a capital letter but pressed without Shift, so their events have the lower-case letter.
function toPressedKey(key: string, keys: readonly string[]): string {
  const isShortcut = keys.some((other) => /^(Control|Alt|Meta)/.test(other))
  const isShifted = keys.some((other) => other.startsWith('Shift'))
  // With Shift, Playwright types the upper character of a key only if the key is named.
  if (isShifted) return isShortcut && /^[a-z]$/i.test(key) ? key : nameOfCharacter(key)
  return isShortcut && /^[A-Z]$/.test(key) ? key.toLowerCase() : key
}

function nameOfCharacter(character: string): string {
  if (/^[a-z]$/.test(character)) return `Key${character.toUpperCase()}`
  if (/^\d$/.test(character)) return `Digit${character}`
  const name = Object.keys(CHARACTERS).find((key) => CHARACTERS[key] === character)
  return name ?? character
}

function suggestKey(part: string): { closestKey?: string } {
  if (part.length < 2) return {}
  const closestName = findClosestName(part, [...KEY_NAMES, ...Object.values(KEY_ALIASES).flat()])
  const closestKey = closestName === undefined ? undefined : keysByFoldedName.get(fold(closestName))
  return closestKey === undefined ? {} : { closestKey }
}

/** How an editor treats text: a code editor keeps it unchanged, a prose editor changes white space and line ends. A `segment` is one part of a
 * date or time, which takes keys alone. */
export type EditorKind = 'code' | 'prose' | 'segment'

export const hasExactText = (kind: EditorKind, editorText: string, text: string): boolean =>
  normalizeText(kind, editorText) === normalizeText(kind, text)

/** Whether the texts differ in case and in signs alone, as where an editor has a mask. */
export function hasSameWords(editorText: string, text: string): boolean {
  const [current, entered] = [editorText, text].map((one) =>
    one.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''),
  )
  return current === entered && current !== ''
}

/** Whether `text` was added to the text before: at its end, or at the caret. */
export function hasAddedText(
  kind: EditorKind,
  editorText: string,
  before: string,
  text: string,
  at: 'caret' | 'end',
): boolean {
  const [current, previous, added] = [
    normalizeText(kind, editorText),
    normalizeText(kind, before),
    normalizeText(kind, text),
  ]
  if (added === '') return true
  const isPresent = kind === 'code' && at === 'end' ? current.endsWith(added) : current.includes(added)
  return isPresent && current !== previous
}

function normalizeText(kind: EditorKind, text: string): string {
  if (kind === 'prose') return text.replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
}
