// Keys without waiting for each one. Playwright awaits every key event; the browser keeps their order, so all keys of a text are sent at
// once and awaited together. For the keys of a US keyboard, as in Playwright, which enters other characters as text.

import type { CdpSession } from '../playwright/cdp-session.ts'

interface Keystroke {
  /** The name of the key, if it differs from its text. */
  readonly key?: string
  readonly text: string
  readonly code: string
  readonly keyCode: number
}

const SYMBOL_KEYS: readonly (readonly [both: string, code: string, keyCode: number])[] = [
  [' ', 'Space', 32],
  ['`~', 'Backquote', 192],
  ['-_', 'Minus', 189],
  ['=+', 'Equal', 187],
  ['[{', 'BracketLeft', 219],
  [']}', 'BracketRight', 221],
  ['\\|', 'Backslash', 220],
  [';:', 'Semicolon', 186],
  ['\'"', 'Quote', 222],
  [',<', 'Comma', 188],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
]

const KEYSTROKES = new Map<string, Keystroke>([
  ...[...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((text) => {
    const letter = text.toUpperCase()
    return [text, { text, code: `Key${letter}`, keyCode: letter.charCodeAt(0) }] as const
  }),
  ...[...')!@#$%^&*('].flatMap((shifted, digit) =>
    [String(digit), shifted].map(
      (text) => [text, { text, code: `Digit${digit}`, keyCode: 48 + digit }] as const,
    ),
  ),
  ...SYMBOL_KEYS.flatMap(([both, code, keyCode]) =>
    [...both].map((text) => [text, { text, code, keyCode }] as const),
  ),
])

export const ENTER_KEYSTROKE: Keystroke = { key: 'Enter', text: '\r', code: 'Enter', keyCode: 13 }

/** The keystrokes of a text; undefined if a character has no key. */
export function keystrokesOf(text: string): readonly Keystroke[] | undefined {
  const keystrokes = [...text].map((letter) => KEYSTROKES.get(letter))
  return keystrokes.every((keystroke) => keystroke !== undefined) ? keystrokes : undefined
}

/** Presses the keys in order; resolves when the page has handled the last one. */
export async function sendKeystrokes(cdp: CdpSession, keystrokes: readonly Keystroke[]): Promise<void> {
  await Promise.all(
    keystrokes.flatMap(({ text, key = text, code, keyCode }) => {
      const keyEvent = { key, code, windowsVirtualKeyCode: keyCode }
      return [
        cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text, unmodifiedText: text, ...keyEvent }),
        cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...keyEvent }),
      ]
    }),
  )
}
