// Where the template of an Angular component is: in its decorator, or in a file of its own.

/** The URL of a template relative to the file, or a part of the file. */
export type ComponentTemplate = { readonly url: string } | { readonly start: number; readonly end: number }

/** The template of the component whose class is declared at `classLine`, counted from 1; undefined if there is none. */
export function findComponentTemplate(
  source: string,
  classLine: number | undefined,
): ComponentTemplate | undefined {
  const decorator = source.lastIndexOf(
    '@Component',
    classLine === undefined ? source.length : endOfLine(source, classLine),
  )
  if (decorator < 0) return undefined
  const rest = source.slice(decorator)
  const end = rest.search(/\n(export\s+)?(default\s+)?(abstract\s+)?class\s/)
  const text = end < 0 ? rest : rest.slice(0, end)
  const url = /\btemplateUrl\s*:\s*(['"`])([^'"`\n]+)\1/.exec(text)
  if (url) return { url: url[2] ?? '' }
  const inline = /\btemplate\s*:\s*(['"`])/.exec(text)
  if (!inline) return undefined
  const start = inline.index + inline[0].length
  const length = text.slice(start).indexOf(inline[1] ?? '')
  return length < 0 ? undefined : { start: decorator + start, end: decorator + start + length }
}

// --- internal ---

function endOfLine(text: string, line: number): number {
  let end = -1
  for (let count = 0; count < line; count += 1) {
    end = text.indexOf('\n', end + 1)
    if (end < 0) return text.length
  }
  return end
}
