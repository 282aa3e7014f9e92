// Runs axe-core in each document of a page, and puts the results together in that of the main frame, as its own integrations do.

import { type AuditMatches, type Axe, openAuditState, selectorOf } from './audit-state.ts'
import type { AxeViolation } from './page-reports.ts'

/** The frames of a document that axe-core audits, with what it needs to know of them there. */
export interface AxeFrame {
  /** As in the targets of violations. */
  readonly target: string | readonly string[]
  readonly selector: string
  readonly context: unknown
}

// A media file tells how long it is before axe-core judges it; style sheets of other origins are not fetched again.
const OPTIONS = { resultTypes: ['violations'], preload: { assets: ['media'], timeout: 2000 } }

// axe-core, without what it leaves in the window: its name, its listeners for other frames, and a copy of a method.
function loadAxe(defineAxe: () => void): Axe {
  const page = window as Window & { axe?: Axe }
  const owned = [
    [page, 'axe'],
    [page, 'addEventListener'],
    [document, 'elementsFromPoint'],
  ] as const
  const before = owned.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
  const listeners: [string, EventListener][] = []
  const { addEventListener } = page
  page.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
    listeners.push([type, listener])
    addEventListener.call(page, type, listener, options)
  }
  try {
    defineAxe()
    return page.axe as Axe
  } finally {
    for (const [type, listener] of listeners) page.removeEventListener(type, listener)
    for (const [index, [owner, name]] of owned.entries()) {
      const descriptor = before[index]
      if (descriptor) Object.defineProperty(owner, name, descriptor)
      else delete (owner as unknown as Record<string, unknown>)[name]
    }
  }
}

/** Audits this document with axe-core, which `run` defines, and returns its frames, and of a frame also the result, as JSON text. `context` is
 * that of a frame. */
export async function runAxeInDocument(
  { run }: { run(): void },
  matches: AuditMatches,
  context: unknown,
): Promise<string> {
  const state = openAuditState(matches)
  const axe = (state.axe ??= loadAxe(run))
  const subject = context ?? document
  const contexts = axe.utils.getFrameContexts(subject)
  const partial = await axe.runPartial(subject, OPTIONS)
  // Both lists have the frames in the same order.
  const frames = contexts.map(({ frameSelector, frameContext }, index): AxeFrame => {
    const element = axe.utils.shadowSelect(frameSelector)
    return {
      target: partial.frames[index]?.selector[0] ?? '',
      selector: element ? selectorOf(matches, element) : '',
      context: frameContext,
    }
  })
  if (context === null) state.partial = partial
  return JSON.stringify({ frames, ...(context !== null && { partial }) })
}

/** The violations of all documents, as JSON text. `others` are the results of the frames, in the order of the documents; null for one that did not
 * answer. */
export async function finishAxe(matches: AuditMatches, others: readonly unknown[]): Promise<string> {
  const state = openAuditState(matches)
  const NODE_LIMIT = 200
  const { violations = [] } = (await state.axe?.finishRun([state.partial, ...others], OPTIONS)) ?? {}
  return JSON.stringify(
    violations.map(({ id, impact, help, helpUrl, nodes }): AxeViolation & { count: number } => ({
      id,
      impact: impact ?? null,
      help,
      helpUrl,
      count: nodes.length,
      nodes: nodes.slice(0, NODE_LIMIT).map(({ target, failureSummary = '', any: checks }) => ({
        target,
        failureSummary,
        any: checks.slice(0, 1).map(({ data }) => ({ data })),
      })),
    })),
  )
}

/** Notes the elements of these targets as found; returns their indexes, -1 for one that is gone. */
export function findAxeElements(
  matches: AuditMatches,
  targets: readonly (string | readonly string[])[],
): readonly number[] {
  const { axe, elements } = openAuditState(matches)
  return targets.map((target) => {
    const element = axe?.utils.shadowSelect(target)
    return element ? elements.push(element) - 1 : -1
  })
}
