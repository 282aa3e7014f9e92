// A page as tools use it. browser/ implements it over Playwright.

import type { Outcome } from '../../core/failure.ts'

/** What every call carries: how long it may take, in milliseconds, and the signal that ends it early. */
export interface Call {
  readonly timeout: number
  readonly signal: AbortSignal
}

export type Target = { readonly selector: string } | { readonly ref: string }

export type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle' | 'commit'

export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift'

export interface ClickOptions {
  readonly force?: boolean
  readonly clickCount?: number
  readonly button?: 'left' | 'right' | 'middle'
  readonly modifiers?: readonly Modifier[]
}

export interface TypeOptions {
  readonly delay?: number
  readonly clear?: boolean
  readonly submit?: boolean
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean
  readonly target?: Target
  readonly format?: 'png' | 'jpeg'
  readonly maxWidth?: number
}

export interface Image {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

export interface Condition {
  readonly selector?: string
  readonly state?: 'attached' | 'detached' | 'visible' | 'hidden'
  readonly text?: string
  readonly textGone?: string
  readonly url?: string
}

export interface Page {
  url(): string
  title(call: Call): Promise<Outcome<string>>
  navigate(
    url: string,
    waitUntil: WaitUntil,
    call: Call,
  ): Promise<Outcome<{ title: string; url: string; status: number }>>
  /** The answers of click and type are notes on what else happened, mostly empty. */
  click(target: Target, options: ClickOptions, call: Call): Promise<Outcome<string>>
  type(target: Target, text: string, options: TypeOptions, call: Call): Promise<Outcome<string>>
  count(target: Target, call: Call): Promise<Outcome<number>>
  waitFor(condition: Condition, call: Call): Promise<Outcome<void>>
  snapshot(options: { target?: Target; depth?: number }, call: Call): Promise<Outcome<string>>
  screenshot(options: ScreenshotOptions, call: Call): Promise<Outcome<Image>>
  evaluate(script: string, arg: unknown, target: Target | undefined, call: Call): Promise<Outcome<Evaluated>>
}

/** A value from the page: JSON, with notes on what JSON could not hold or what was cut. */
export interface Evaluated {
  readonly result: unknown
  readonly notes: readonly string[]
}
