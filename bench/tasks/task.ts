// A task as an agent does it: rounds of intents, each round with what the agent has seen before it. How an intent becomes calls is the
// driver's part (drivers/).

import type { IncomingMessage } from 'node:http'
import type { Route } from '../../test/support/site.ts'

/** An element as an agent finds it in what it has read. */
export interface Target {
  readonly role: string
  readonly name: string
}

export type Intent =
  /** `submit` presses Enter in the field. */
  | { readonly kind: 'fill'; readonly target: Target; readonly value: string; readonly submit?: boolean }
  | { readonly kind: 'select'; readonly target: Target; readonly value: string }
  | { readonly kind: 'check' | 'click' | 'download'; readonly target: Target }
  | { readonly kind: 'drag'; readonly target: Target; readonly to: Target }
  | { readonly kind: 'upload'; readonly target: Target; readonly path: string }

export interface Task {
  readonly name: string
  /** Where it begins. */
  readonly path: string
  /** The program that serves it, which the agent has to start in the working directory; without it the routes of `create` are served. */
  readonly program?: string
  /** Each round needs only what was seen before it. */
  readonly rounds: readonly Round[]
  /** What the agent sees at the end. */
  readonly result: RegExp
  /** A new site, and whether its state says that the work was done. */
  create(): TaskSite
}

/** What can be done in one turn. A function gets all that was seen, and may first ask for a look at the text of the page, or for the log of the
 * program. */
type Round = readonly Intent[] | ((seen: string) => readonly Intent[] | 'look' | 'log')

interface TaskSite {
  readonly routes: Readonly<Record<string, Route>>
  /** Whether the site's state is what the task asks for. `url` is where the program of the task listens. */
  isDone(url: string): boolean | Promise<boolean>
}

const target =
  (role: string) =>
  (name: string): Target => ({ role, name })
export const textbox = target('textbox')
export const button = target('button')
export const checkbox = target('checkbox')
export const combobox = target('combobox')
export const link = target('link')

export const fill = (target: Target, value: string): Intent => ({ kind: 'fill', target, value })
export const enter = (target: Target, value: string): Intent => ({
  kind: 'fill',
  target,
  value,
  submit: true,
})
export const select = (target: Target, value: string): Intent => ({ kind: 'select', target, value })
export const click = (target: Target): Intent => ({ kind: 'click', target })
export const check = (target: Target): Intent => ({ kind: 'check', target })

/** The fields of a submitted form. */
export async function readForm(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return Object.fromEntries(new URLSearchParams(text))
}
