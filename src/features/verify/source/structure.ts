// What the text of a source consists of.

/** Something that runs, or is shown, as a whole. Lines are from 1. */
export interface SourcePart {
  /** `branch`: what runs only sometimes and has no place of its own, such as a `catch` or a block of Svelte. */
  readonly kind: 'function' | 'element' | 'statement' | 'branch' | 'rule'
  readonly firstLine: number
  readonly lastLine: number
}

export interface SourceStructure {
  /** Outer parts come before those within them. */
  readonly parts: readonly SourcePart[]
  /** The lines with something that runs or is shown: no blank ones, comments or types. */
  readonly codeLines: ReadonlySet<number>
  /** Those of them that only hold a statement together, such as a bracket or `else`. */
  readonly bracketLines: ReadonlySet<number>
  /** The names of the modules that it imports where it begins, without those of types. */
  readonly imports: readonly string[]
  /** Whether a part begins at this place, from 1. */
  startsPart(line: number, column: number): boolean
  /** Equal where two texts differ in blank space, comments and types alone. */
  describe(): string
}
