// Keys without waiting for each one. Playwright waits until the page has dealt with a key before it sends the next half of it; the
// browser keeps them in order anyway, so a whole text is sent and its end awaited. For the keys of a US keyboard, which are those that
// Playwright presses as keys too; other letters are its own business.

import type { CdpSession } from '../playwright/cdp-session.ts'

interface Stroke {
  /** The name of the key, where that is not what it writes. */
  readonly key?: string
  readonly text: string
  readonly code: string
  readonly keyCode: number
}

const symbols: readonly (readonly [both: string, code: string, keyCode: number])[] = [
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

const keys = new Map<string, Stroke>([
  ...[...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((text) => {
    const letter = text.toUpperCase()
    return [text, { text, code: `Key${letter}`, keyCode: letter.charCodeAt(0) }] as const
  }),
  ...[...')!@#$%^&*('].flatMap((shifted, digit) =>
    [String(digit), shifted].map(
      (text) => [text, { text, code: `Digit${digit}`, keyCode: 48 + digit }] as const,
    ),
  ),
  ...symbols.flatMap(([both, code, keyCode]) =>
    [...both].map((text) => [text, { text, code, keyCode }] as const),
  ),
])

export const ENTER: Stroke = { key: 'Enter', text: '\r', code: 'Enter', keyCode: 13 }

/** The strokes of a text, or nothing where one letter of it has no key. */
export function keystrokesOf(text: string): readonly Stroke[] | undefined {
  const strokes = [...text].map((letter) => keys.get(letter))
  return strokes.every((stroke) => stroke !== undefined) ? strokes : undefined
}

/** Presses them one after the other; settles when the page has had the last one. */
export async function sendKeystrokes(cdp: CdpSession, strokes: readonly Stroke[]): Promise<void> {
  await Promise.all(
    strokes.flatMap(({ text, key = text, code, keyCode }) => {
      const one = { key, code, windowsVirtualKeyCode: keyCode }
      return [
        cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text, unmodifiedText: text, ...one }),
        cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...one }),
      ]
    }),
  )
}
