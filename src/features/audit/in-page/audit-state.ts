// What the functions of an audit share in one document: in Playwright's world it belongs to the injected script, so the page sees nothing of it.

import { shownParentOf } from '../../../core/browser/in-page/page/elements.ts'
import type { AriaSnapshotState } from '../../../core/browser/in-page/snapshot/aria-injected.ts'
import type { AxeViolation, VitalReport } from './page-reports.ts'

/** The members of axe-core that are used here. */
export interface Axe {
  readonly utils: {
    getFrameContexts(
      context: unknown,
    ): readonly { readonly frameSelector: string | string[]; readonly frameContext: unknown }[]
    shadowSelect(selector: string | readonly string[]): Element | null
  }
  runPartial(
    context: unknown,
    options: object,
  ): Promise<{ readonly frames: readonly { readonly selector: readonly (string | readonly string[])[] }[] }>
  finishRun(
    results: readonly unknown[],
    options: object,
  ): Promise<{ readonly violations: readonly AxeViolation[] }>
}

/** A metric with the names of its elements in `nodes`. */
export interface TargetedVital extends Omit<VitalReport, 'element' | 'cause'> {
  readonly target?: string
  /** That of what moved it. */
  readonly cause?: string
}

export interface AuditState {
  /** What was found, by its index. */
  elements: Element[]
  axe?: Axe
  /** The result of the document itself. */
  partial?: unknown
  vitals?: { readonly reports: Map<string, TargetedVital>; readonly nodes: Map<string, WeakRef<Node>> }
  scrolled?: readonly { readonly element: Element; readonly left: number; readonly top: number }[]
}

export interface AuditInjected {
  footlightAudit?: AuditState
  readonly footlight?: Pick<AriaSnapshotState, 'refs'>
  generateSelectorSimple?(element: Element): string
  readonly utils?: { readonly builtins: Pick<Window, 'setTimeout' | 'requestAnimationFrame'> }
}

/** Where the functions of an audit keep their state. In the page's own world, where Playwright's cannot be reached, it is an empty object. */
export interface AuditMatches {
  readonly injected: object
}

export interface DescribedElement {
  /** Its tag with its id and classes, such as `<button#go.wide>`. */
  readonly name: string
  /** The ref of it, or of its nearest ancestor that has one. */
  readonly ref?: string
  readonly isExactRef?: boolean
  /** The same for elements with the same attributes and text. */
  readonly mark: string
  /** What selects it, through the frames around it. */
  readonly selector: string
}

export function openAuditState({ injected }: AuditMatches): AuditState {
  const owner = injected as AuditInjected
  return (owner.footlightAudit ??= { elements: [] })
}

/** A selector of an element: its place in the document, or in a shadow root what Playwright chooses. */
export function selectorOf({ injected }: AuditMatches, element: Element): string {
  if (element.getRootNode() !== document)
    return (injected as AuditInjected).generateSelectorSimple?.(element) ?? element.localName
  const steps: string[] = []
  for (let one = element; one.parentElement; one = one.parentElement)
    steps.unshift(`:nth-child(${[...one.parentElement.children].indexOf(one) + 1})`)
  return ['css=:root', ...steps].join(' > ')
}

/** Describes the elements that were found, as JSON text, and forgets them. */
export function describeFound(matches: AuditMatches): string {
  const TEXT_LIMIT_CHARS = 200
  const state = openAuditState(matches)
  const refs = (matches.injected as AuditInjected).footlight?.refs
  // The id and the classes are words of the page: only what looks like a name is shown.
  const nameOf = (element: Element): string => {
    const words = [
      element.id && `#${element.id}`,
      ...[...element.classList].slice(0, 2).map((one) => `.${one}`),
    ]
    return `<${[element.localName, ...words].filter((word) => /^[#.]?[\w-]{1,40}$/.test(word)).join('')}>`
  }
  // A hash, because the words are of no use to anybody else.
  const markOf = (element: Element): string => {
    const attributes = ['src', 'href', 'name', 'type', 'placeholder', 'aria-label', 'title', 'role']
    const words = [element.localName, ...attributes.map((name) => element.getAttribute(name) ?? '')]
    const text = [...words, (element.textContent ?? '').slice(0, TEXT_LIMIT_CHARS)].join(' ')
    let hash = 0
    for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) | 0
    return (hash >>> 0).toString(36)
  }
  const described = state.elements.map((element) => {
    let owner: Element | null = element
    while (owner && !refs?.has(owner)) owner = shownParentOf(owner)
    const ref = owner ? refs?.get(owner)?.ref : undefined
    return {
      name: nameOf(element),
      mark: markOf(element),
      selector: selectorOf(matches, element),
      ...(ref !== undefined && { ref, isExactRef: owner === element }),
    }
  })
  state.elements = []
  return JSON.stringify(described)
}

/** Forgets everything but the metrics, which go on. */
export function endAudit(matches: AuditMatches): void {
  const state = openAuditState(matches)
  delete state.axe
  delete state.partial
  delete state.scrolled
  state.elements = []
}

export interface MainWorldOptions {
  readonly arg: unknown
  readonly isLast: boolean
}

/** Runs a function of an audit in the page's own world, where its state is kept in the document until the last one. */
export async function runInMainWorld(
  { run }: { run(matches: AuditMatches, arg: unknown): unknown },
  root: Node,
  { arg, isLast }: MainWorldOptions,
): Promise<unknown> {
  const owner = root.ownerDocument as (Document & { footlightAudit?: object }) | null
  if (!owner) return undefined
  const injected = (owner.footlightAudit ??= {})
  try {
    return await run({ injected }, arg)
  } finally {
    if (isLast) delete owner.footlightAudit
  }
}
