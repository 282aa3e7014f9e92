// Where an element comes from, in source files, and how that is shown.

import type { ElementSource, FilePosition } from '../../core/sessions/types/sources.ts'
import { formatSource } from './script-positions.ts'

export function formatPosition({ file, line, column }: FilePosition): string {
  if (line === undefined) return file
  return column === undefined ? formatSource({ file, line, column: 1 }) : `${file}:${line}:${column}`
}

/** One line for the evidence of a failure, such as `src/cart.tsx:41:7 in Cart < App`; undefined if no file is known. */
export function summarizeSource({
  element,
  position,
  ancestor,
  components,
}: ElementSource): string | undefined {
  const used = components.find((component) => component.position)
  const names = components.slice(0, NAME_LIMIT).map(({ name }) => name)
  const inside = names.length > 0 ? ` in ${names.join(' < ')}` : ''
  if (position)
    return `${formatPosition(position)}${ancestor ? ` (${ancestor} around ${element})` : ''}${inside}`
  return used?.position && `${formatPosition(used.position)} (<${used.name}>)${inside}`
}

/** All that is known, one fact a line. */
export function describeSource(source: ElementSource): string {
  const { element, position, ancestor, components, testId } = source
  const place = position && `${ancestor ?? element} ${formatPosition(position)}`
  const lines = [
    place && (ancestor ? `${place}, the nearest known ancestor of ${element}` : place),
    ...components.map(
      ({ name, position: usedAt }) => `in ${name}${usedAt ? ` (${formatPosition(usedAt)})` : ''}`,
    ),
  ].filter((line) => line !== undefined)
  if (lines.length > 0) return lines.join('\n')
  const nearest = testId === undefined ? '' : ` Nearest test id: ${testId}.`
  return `No source is known for ${element}: a production build, or a page whose framework notes none.${nearest}`
}

// --- internal ---

const NAME_LIMIT = 4
