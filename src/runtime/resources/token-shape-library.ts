// More token shapes, from a maintained library. Its rules run in linear time.

import type { Span } from '../../core/redaction/spans.ts'
import type { FindTokenShapes } from '../../core/redaction/detect/token-shapes.ts'

type Library = typeof import('@secretlint/secretlint-rule-preset-recommend')
type Rule = Library['rules'][number]

export interface TokenShapeLibrary {
  /** Loads the rules, which takes a few milliseconds; `find` returns nothing before. */
  load(): Promise<void>
  readonly find: FindTokenShapes
}

export function createTokenShapeLibrary(): TokenShapeLibrary {
  let rules: readonly ((text: string) => readonly Span[])[] = []
  let loading: Promise<void> | undefined
  return {
    load: () =>
      (loading ??= import('@secretlint/secretlint-rule-preset-recommend').then((library) => {
        rules = library.rules.filter(({ meta }) => !OMITTED_RULES.test(meta.id)).map(createFinder)
      })),
    find: (text) => (text.length < TOKEN_MINIMUM_CHARS ? [] : rules.flatMap((find) => find(text))),
  }
}

// --- internal ---

const TOKEN_MINIMUM_CHARS = 16

// The redactor finds passwords in URLs itself, without hiding the host.
const OMITTED_RULES = /filter-comments|basicauth|database-connection-string/

// A rule reports its matches synchronously while it checks a file; here the file is a text.
function createFinder(rule: Rule): (text: string) => readonly Span[] {
  let spans: Span[] = []
  const context = {
    report: ({ range }: { range: readonly [number, number] }) =>
      spans.push({ start: range[0], end: range[1] }),
    ignore: () => {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
  }
  const { file } = (
    rule.create as (context: unknown, options: object) => { file?: (source: object) => unknown }
  )(context, {})
  return (content) => {
    spans = []
    file?.({ filePath: '/text', content, contentType: 'text', ext: '', hasBOM: false })
    return spans
  }
}
