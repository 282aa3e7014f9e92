// The metrics of web-vitals for this document. It is asked late: the browser keeps what happened before. From then on it goes on measuring.

import { type AuditInjected, type AuditMatches, openAuditState, type TargetedVital } from './audit-state.ts'
import type { VitalReport } from './page-reports.ts'

interface Metric {
  readonly name: string
  readonly value: number
  readonly rating: string
  readonly attribution: Readonly<Record<string, unknown>>
}

interface Shift {
  readonly sources?: readonly {
    readonly node?: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

type Observe = (
  report: (metric: Metric) => void,
  options: { reportAllChanges: true; generateTarget: (node: Node | null) => string | undefined },
) => void

export interface WebVitals {
  readonly onLCP: Observe
  readonly onCLS: Observe
  readonly onINP: Observe
}

/** The metrics of the package, which `run` loads, with the indexes of their elements, as JSON text. */
export async function readVitals({ run }: { run(): WebVitals }, matches: AuditMatches): Promise<string> {
  const WAIT_MS = 40
  const READINGS = 15
  const LEAST_READINGS = 3
  const LEAST_SHARE = 0.8
  const state = openAuditState(matches)
  const clock = (matches.injected as AuditInjected).utils?.builtins ?? window

  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const numberOf = (value: unknown): number => (typeof value === 'number' ? Math.round(value) : 0)

  // What took the time, or who asked for it.
  function factsOf({ name, attribution }: Metric): VitalReport['facts'] {
    if (name === 'LCP')
      return {
        url: textOf(attribution['url']),
        server: numberOf(attribution['timeToFirstByte']),
        delay: numberOf(attribution['resourceLoadDelay']),
        load: numberOf(attribution['resourceLoadDuration']),
        render: numberOf(attribution['elementRenderDelay']),
      }
    if (name !== 'INP') return {}
    const { longestScript, interactionType } = attribution as {
      longestScript?: { entry?: { sourceURL?: unknown } }
      interactionType?: unknown
    }
    return {
      type: textOf(interactionType),
      script: textOf(longestScript?.entry?.sourceURL),
      delay: numberOf(attribution['inputDelay']),
      work: numberOf(attribution['processingDuration']),
      render: numberOf(attribution['presentationDelay']),
    }
  }

  // What moved others is before the first of them, and at least as high as they moved.
  function findCause({ sources = [] }: Shift): Element | undefined {
    const moved = sources
      .filter((source) => source.currentRect.top - source.previousRect.top >= 1)
      .toSorted((a, b) => a.currentRect.top - b.currentRect.top)
    const [first] = moved
    const node = first?.node
    const distance = first ? first.currentRect.top - first.previousRect.top : 0
    if (!node) return undefined
    const isMoved = (element: Element): boolean => moved.some((source) => source.node === element)
    let inner = node instanceof Element ? node : node.parentElement
    for (; inner && inner !== document.body; inner = inner.parentElement)
      for (let before = inner.previousElementSibling; before; before = before.previousElementSibling)
        if (!isMoved(before) && before.getBoundingClientRect().height >= distance * LEAST_SHARE) return before
    return undefined
  }

  function start(): NonNullable<typeof state.vitals> {
    const { onLCP, onCLS, onINP } = run()
    const reports = new Map<string, TargetedVital>()
    const nodes = new Map<string, WeakRef<Node>>()
    const names = new WeakMap<Node, string>()
    const generateTarget = (node: Node | null): string | undefined => {
      if (!node) return undefined
      const name = names.get(node) ?? String(nodes.size)
      names.set(node, name)
      nodes.set(name, new WeakRef(node))
      return name
    }
    const note = (metric: Metric): void => {
      const { name, value, rating, attribution } = metric
      const target =
        attribution['target'] ?? attribution['largestShiftTarget'] ?? attribution['interactionTarget']
      const shift = attribution['largestShiftEntry'] as Shift | undefined
      const cause = shift && findCause(shift)
      reports.set(name, {
        name,
        value,
        rating,
        ...(typeof target === 'string' && { target }),
        cause: cause && (generateTarget(cause) ?? ''),
        facts: factsOf(metric),
      })
    }
    for (const observe of [onLCP, onCLS, onINP]) observe(note, { reportAllChanges: true, generateTarget })
    return { reports, nodes }
  }

  const isNew = state.vitals === undefined
  const vitals = (state.vitals ??= start())
  const isObserved = (type: string) => PerformanceObserver.supportedEntryTypes?.includes(type) === true
  const { interactionCount = 0 } = performance as { interactionCount?: number }
  const expected = [
    ...(isObserved('largest-contentful-paint') ? ['LCP'] : []),
    ...(isObserved('layout-shift') ? ['CLS'] : []),
    ...(interactionCount > 0 ? ['INP'] : []),
  ]
  // Entries of the past come in tasks of their own.
  for (let reading = 0; reading < (isNew ? READINGS : LEAST_READINGS); reading += 1) {
    if (reading >= LEAST_READINGS && expected.every((name) => vitals.reports.has(name))) break
    // Without frames a document is idle late, for which web-vitals waits before it reports an interaction.
    clock.requestAnimationFrame(() => {})
    await new Promise<void>((resolve) => clock.setTimeout(resolve, WAIT_MS))
  }
  const indexOf = (target = ''): number | undefined => {
    const node = vitals.nodes.get(target)?.deref()
    const element = node instanceof Element ? node : node?.parentElement
    return element?.isConnected ? state.elements.push(element) - 1 : undefined
  }
  return JSON.stringify(
    [...vitals.reports.values()].map(({ target, cause, ...report }) => ({
      ...report,
      element: indexOf(target),
      cause: indexOf(cause),
    })),
  )
}
