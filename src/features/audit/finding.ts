// What an audit of a page finds: a rule that is broken, and the elements that break it. Words of the page are in its texts.

import type { Size } from '../../core/base/geometry.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import type { DescribedElement } from './in-page/audit-state.ts'
import type { Vital } from './in-page/page-reports.ts'

export const findingKinds = ['accessibility', 'vitals', 'layout', 'console'] as const
type FindingKind = (typeof findingKinds)[number]

export const severities = ['critical', 'serious', 'moderate', 'minor'] as const
export type Severity = (typeof severities)[number]

export interface FoundElement extends Omit<DescribedElement, 'mark'> {
  readonly mark?: string
  readonly origin?: ElementOrigin
  /** Such as `src/app.tsx:12`. */
  readonly source?: string
  /** What is wrong with this one. */
  readonly detail?: string
}

export interface Finding {
  readonly kind: FindingKind
  /** Its id: that of axe-core, the name of a metric, or a word of Footlight. */
  readonly rule: string
  readonly severity: Severity
  /** Whether it is so in a narrow window only. */
  readonly isNarrow?: boolean
  /** What is wrong, if the rule does not say it. */
  readonly text?: string
  /** A text of the page or of a program, such as a console message. */
  readonly words?: string
  readonly help?: string
  readonly elements: readonly FoundElement[]
  /** How many there are; more than `elements` if those were limited. */
  readonly count: number
}

export interface PageAudit {
  readonly viewport: Size
  readonly vitals: readonly Vital[]
  readonly findings: readonly Finding[]
  /** What was not audited, and why. */
  readonly notes: readonly string[]
}

/** The width of the narrow window, in CSS pixels: that of WCAG 1.4.10. */
export const NARROW_WIDTH_PX = 320
