// The sources of the elements that a failure names, and of the newest error.

import { codeFrameOf } from './error-source.ts'
import type { FailureView, ViewedCandidate } from '../ports/browsers.ts'
import type { Evidence } from '../ports/session-manager.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { ElementOrigin } from '../../core/source/element-origin.ts'
import { formatPosition, summarizeSource } from '../../core/source/element-source.ts'

/** The candidates of a view with their source lines, the source of the element that the call acted on, and the lines of the newest error. */
export async function collectSources(
  { candidates, origin }: FailureView,
  pageUrl: string,
  resources: SessionResources,
): Promise<Pick<Evidence, 'candidates' | 'source' | 'codeFrame'>> {
  const { sources, redactor } = resources
  const locate = async (elementOrigin: ElementOrigin | undefined) =>
    elementOrigin && sources.locateElement(elementOrigin, pageUrl)
  const locateCandidate = async ({ origin: elementOrigin, ...candidate }: ViewedCandidate) => {
    const source = await locate(elementOrigin)
    // The source of another element would be a wrong one.
    const position = source?.ancestor === undefined ? source?.position : undefined
    return { ...candidate, ...(position && { source: redactor.redactText(formatPosition(position)) }) }
  }
  const [element, ...candidatesWithSource] = await Promise.all([
    locate(origin),
    ...(candidates ?? []).map(locateCandidate),
  ])
  const summary = element && summarizeSource(element)
  return {
    ...(candidates && { candidates: candidatesWithSource }),
    ...(summary !== undefined && { source: redactor.redactText(summary) }),
    ...codeFrameOf(resources),
  }
}
