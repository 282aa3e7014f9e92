// A page of the benchmark: what stands on it, what is asked for, and what its own record says once that has happened.

export interface Target {
  readonly name: string
  readonly role: string
  /** Which of several elements with this role and name, from 0. */
  readonly nth?: number
}

export type Action =
  | { readonly kind: 'click' | 'hover'; readonly target: Target }
  | { readonly kind: 'type'; readonly target: Target; readonly text: string; readonly submit?: boolean }
  | { readonly kind: 'fill'; readonly target: Target; readonly text: string; readonly next?: Target }
  | { readonly kind: 'select'; readonly target: Target; readonly option: string }
  | { readonly kind: 'check'; readonly target: Target }
  | { readonly kind: 'drag'; readonly target: Target; readonly to: Target }
  | { readonly kind: 'upload'; readonly target: Target; readonly file: string }
  | { readonly kind: 'press'; readonly target: Target; readonly key: string }
  | { readonly kind: 'accept' }
  | { readonly kind: 'navigate'; readonly path: string }

export interface Page {
  /** The family and the variant. */
  readonly name: string
  /** HTML with inline scripts. `did(text)` records and shows what happened, `undo(text)` takes it back, `final()` answers what is to be read at the end. */
  readonly body: string
  /** An action whose answer is not judged. */
  readonly first?: Action
  readonly action: Action
  /** The whole record after the asked effect, once: the texts of `did` and the answer of `final`. */
  readonly asked: string
  /** What the page calls between the snapshot and the action: `between()`. With `load` it leads to another document. */
  readonly between?: 'run' | 'load'
  /** How long the page takes for what it does after the action. */
  readonly settleMs?: number
}

export type Variant = Omit<Page, 'name'>

/** Pages of one kind, each made from its parameters. */
export const family = <P>(
  name: string,
  variants: Readonly<Record<string, P>>,
  make: (parameters: P) => Variant,
): readonly Page[] =>
  Object.entries(variants).map(([variant, parameters]) => ({
    name: `${name}: ${variant}`,
    ...make(parameters),
  }))

export const button = (name: string, nth = 0): Target => ({ role: 'button', name, nth })
export const textbox = (name: string): Target => ({ role: 'textbox', name })
export const link = (name: string): Target => ({ role: 'link', name })
export const click = (target: Target): Action => ({ kind: 'click', target })

/** A button that saves, named Save, with more attributes. */
export const save = (attributes = 'onclick="did(\'Saved\')"'): string =>
  `<button id="save" ${attributes}>Save</button>`
