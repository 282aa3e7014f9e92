// Texts of a test in which the values of secrets are replaced by the environment variables that have them.

import { encodedFormsOf } from '../../../core/base/redaction/encodings.ts'
import { isDistinctive } from '../../../core/base/redaction/secret-values.ts'
import { escapeRegExp } from '../../../core/base/text/escape-reg-exp.ts'
import { escapeTemplate, isIdentifier, quoteText } from '../../lib/replay/literals.ts'

/** Writes texts as expressions of TypeScript. */
export interface SecretText {
  /** What was entered or sent: every secret in it is replaced. */
  value(text: string): string
  /** What a page shows, or a name: a secret is replaced only if it cannot be a common word. */
  label(text: string): string
  /** A URL, in which secrets may be percent-encoded. */
  url(text: string): string
  /** The source of a regular expression in which any text stands for a secret. */
  pattern(source: string): string
  /** The same for a literal of one, whose escapes may complete a secret. */
  literal(code: string): string
  /** As `label`, but as a part of a template literal. */
  template(text: string): string
  /** For a title or a comment: not an expression, and without secrets. */
  title(text: string): string
  /** The names of the variables that were used, in their order. */
  readonly environment: readonly string[]
}

/** `secrets` has values by the names of their variables. `redact` hides what is left: each text alone, because code that is redacted as a whole
 * may be none any more. */
export function createSecretText(
  secrets: ReadonlyMap<string, string>,
  redact: (text: string) => string = (text) => text,
): SecretText {
  const used = new Set<string>()
  const { variables, inValues, distinctive, inUrls, encodings, masks } = createTables(secrets)
  // What is left of a text may have an encoded secret.
  const parts = (text: string, replacements: readonly Replacement[]) =>
    splitText(text, replacements).map((piece) =>
      typeof piece === 'string' ? redact(maskAll(piece, encodings)) : piece,
    )
  const use = (pieces: readonly Piece[]) => {
    for (const piece of pieces) if (typeof piece === 'object') used.add(piece.name)
    return pieces
  }
  const expression = (pieces: readonly Piece[]) => formatPieces(use(pieces))
  const maskPattern = (source: string) =>
    [...masks.keys()].reduce(
      (pattern, form) => pattern.replaceAll(escapeRegExp(form), '.*').replaceAll(form, '.*'),
      source,
    )
  const isWhole = (value: string) => variables.some(({ text }) => text === value)
  return {
    value: (text) => expression(parts(text, isWhole(text) ? variables : inValues)),
    label: (text) => expression(parts(text, distinctive)),
    template: (text) => templateOf(use(parts(text, distinctive))),
    url(text) {
      let isQuery = false
      const pieces = parts(text, inUrls).flatMap((piece): readonly Piece[] => {
        if (typeof piece === 'object') return [piece]
        const [path, query] = isQuery ? ['', piece] : splitQuery(piece)
        isQuery ||= query !== ''
        return [...(path === '' ? [] : [path]), ...splitText(query, withUrlForms(inValues))]
      })
      return expression(pieces)
    },
    pattern: (source) => maskPattern(redact(source)).replaceAll(/\[redacted[^\]]*\]/g, '.*'),
    literal: maskPattern,
    title: (text) => redact(maskAll(text, masks)),
    get environment() {
      return [...used]
    },
  }
}

// --- internal ---

const MASK = '***'
/** A shorter value is replaced only where it is the whole text. */
const PART_LIMIT_CHARS = 4

interface Replacement {
  readonly text: string
  readonly name: string
  readonly isEncoded?: boolean
}

type Piece = string | Replacement

/** What is replaced, depending on the place: `variables` only where they are the whole text. */
interface Tables {
  readonly variables: readonly Replacement[]
  readonly inValues: readonly Replacement[]
  readonly distinctive: readonly Replacement[]
  readonly inUrls: readonly Replacement[]
  readonly encodings: ReadonlyMap<string, string>
  readonly masks: ReadonlyMap<string, string>
}

function createTables(secrets: ReadonlyMap<string, string>): Tables {
  const variables = [...secrets]
    .map(([name, text]): Replacement => ({ text, name }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => b.text.length - a.text.length)
  const distinctive = variables.filter(({ text }) => isDistinctive(text))
  const inUrls = withUrlForms(distinctive)
  const encodings = new Map(
    distinctive.flatMap(({ text }) => encodedFormsOf(text).map((form) => [form, MASK] as const)),
  )
  return {
    variables,
    inValues: variables.filter(({ text }) => text.length >= PART_LIMIT_CHARS),
    distinctive,
    inUrls,
    encodings,
    masks: new Map([...encodings, ...inUrls.map(({ text }) => [text, MASK] as const)]),
  }
}

const withUrlForms = (replacements: readonly Replacement[]): readonly Replacement[] =>
  replacements.flatMap(({ text, name }): readonly Replacement[] => {
    if (!text.isWellFormed()) return [{ text, name }]
    const component = encodeURIComponent(text)
    const forms = [component, encodeURI(text), text.replaceAll(' ', '+'), component.replaceAll('%20', '+')]
    const others = [...new Set(forms)].filter((form) => form !== text)
    return [{ text, name }, ...others.map((form) => ({ text: form, name, isEncoded: true }))]
  })

const maskAll = (text: string, masks: ReadonlyMap<string, string>): string =>
  [...masks].reduce((masked, [form, mask]) => masked.replaceAll(form, mask), text)

function splitQuery(url: string): readonly [string, string] {
  const at = url.search(/[?#]/)
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

// The longest secret at each position; a common word only as a whole word.
function splitText(text: string, replacements: readonly Replacement[]): readonly Piece[] {
  const ordered = replacements.toSorted((a, b) => b.text.length - a.text.length)
  const pieces: Piece[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const match = ordered.find((replacement) => isAt(text, at, replacement.text))
    if (!match) continue
    if (at > start) pieces.push(text.slice(start, at))
    pieces.push(match)
    start = at + match.text.length
    at = start - 1
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}

function isAt(text: string, at: number, value: string): boolean {
  if (!text.startsWith(value, at)) return false
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  const end = at + value.length
  return (
    isDistinctive(value) ||
    (!(isWord(text[at - 1]) && isWord(text[at])) && !(isWord(text[end - 1]) && isWord(text[end])))
  )
}

function formatPieces(pieces: readonly Piece[]): string {
  const [first] = pieces
  if (pieces.length === 1 && typeof first === 'object') return variableOf(first, '!')
  if (pieces.every((piece) => typeof piece === 'string')) return quoteText(pieces.join(''))
  return `\`${templateOf(pieces)}\``
}

const templateOf = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? escapeTemplate(piece) : `\${${variableOf(piece, '')}}`))
    .join('')

function variableOf({ name, isEncoded }: Replacement, assertion: string): string {
  const variable = isIdentifier(name) ? `process.env.${name}` : `process.env[${quoteText(name)}]`
  return isEncoded ? `encodeURIComponent(${variable}!)` : `${variable}${assertion}`
}
