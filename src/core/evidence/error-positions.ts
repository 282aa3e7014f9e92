// The position in a source file that a build tool or a server prints below an error: in a stack, in the head of a code frame, or in a line
// of its own.

import { isLibraryPath } from '../source/source-path.ts'

/** Such as `src/app.ts:7` or, for a file outside of the working directory of the server, an absolute path with a line. Undefined if no line
 * names one. `lines` are those after the line of the error, up to the next error. */
export function findErrorPosition(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const position = findPosition(line)
    if (position !== undefined) return position
  }
  return undefined
}

/** Whether a line names a line of a source file itself. */
export const hasPosition = (line: string): boolean => findPosition(line) !== undefined

// --- internal ---

const LINE_LIMIT_CHARS = 400

const EXTENSIONS =
  '[cm]?[jt]sx?|vue|svelte|astro|s?css|sass|less|html?|mdx?|json|py|rb|php|go|rs|exs?|java|kt|cs'

// A path that a bracket, a quote or a space may precede, with a line after a colon, a bracket or a space.
const POSITION = new RegExp(
  `(?<=^|[\\s('"\`[])(?:file://)?((?:[a-z]:)?[\\w./@~\\\\][^\\s:'"\`<>|│]{0,300}\\.(?:${EXTENSIONS}))(?:[:(](\\d{1,7})(?:[:,]\\d+)?|",? line (\\d{1,7})| (\\d{1,7}):\\d+)(?!\\d)`,
  'i',
)

function findPosition(line: string): string | undefined {
  const text = line.slice(0, LINE_LIMIT_CHARS)
  if (isLibraryPath(text) || /\(?node:/.test(text)) return undefined
  const match = POSITION.exec(text)
  const lineNumber = match?.[2] ?? match?.[3] ?? match?.[4]
  return match?.[1] === undefined || lineNumber === undefined
    ? undefined
    : `${match[1].replace(/^(\.\/)+/, '')}:${lineNumber}`
}
