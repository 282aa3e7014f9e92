import { createRedactor, type Redactor, revealingRedactor } from '../base/redaction/redactor.ts'
import type { Span } from '../base/redaction/spans.ts'
import type { RedactorPorts, TokenShapeLibrary } from './types/owned-session.ts'

/** The redactor of one session. `ownValues`, such as its id, are never redacted. */
export function openRedactor(
  ownValues: readonly string[],
  { redactor: parent, logRedactor, shapes }: RedactorPorts,
): Redactor {
  if (parent === revealingRedactor) return revealingRedactor
  const redactor = createRedactor({ parent, ownValues, shapes })
  return {
    ...redactor,
    learn(source, values) {
      redactor.learn(source, values)
      logRedactor?.learn(source, values)
    },
  }
}

/** A redactor for what may show any of these sessions: it redacts with all of them, and with `base` if there are none. */
export const combineRedactors = (redactors: readonly Redactor[], base: Redactor): Redactor =>
  redactors.reduce(
    (combined, redactor) => ({
      ...combined,
      redactText: (value) => redactor.redactText(combined.redactText(value)),
      redactData: (value) => redactor.redactData(combined.redactData(value)),
    }),
    base,
  )

// More token shapes, from a maintained library. Its rules run in linear time.
type Library = typeof import('@secretlint/secretlint-rule-preset-recommend')
type Rule = Library['rules'][number]

export function createTokenShapeLibrary(): TokenShapeLibrary {
  let rules: readonly ((text: string) => readonly Span[])[] = []
  let loading: Promise<void> | undefined
  return {
    load: () =>
      (loading ??= import('@secretlint/secretlint-rule-preset-recommend').then((library) => {
        rules = library.rules.filter(({ meta }) => !OMITTED_RULES.test(meta.id)).map(createFinder)
      })),
    ruleCount: () => rules.length,
    find: (text) => (text.length < TOKEN_MINIMUM_CHARS ? [] : rules.flatMap((find) => find(text))),
  }
}

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
