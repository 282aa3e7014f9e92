// What is read in a page for its audit.

export interface AxeViolation {
  readonly id: string
  readonly impact?: string | null
  readonly help: string
  readonly helpUrl: string
  readonly nodes: readonly AxeNode[]
}

export interface VitalReport extends Vital {
  readonly facts: Readonly<Record<string, string | number>>
  /** The index of its element. */
  readonly element?: number
  /** That of what moved the element. */
  readonly cause?: number
}

export interface LayoutIssue {
  readonly rule: 'overflow' | 'cut' | 'overlap' | 'target'
  /** The index of the element. */
  readonly element: number
  /** That of what it lies over. */
  readonly other?: number
  readonly detail: string
}

export interface AxeNode {
  readonly target: readonly (string | readonly string[])[]
  readonly failureSummary?: string
  readonly any: readonly { readonly data: unknown }[]
}

/** A metric of web-vitals: milliseconds, or the score of CLS. */
export interface Vital {
  readonly name: string
  readonly value: number
  readonly rating: string
}
