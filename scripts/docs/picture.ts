// `bun scripts/docs/picture.ts`: docs/demo.svg, a picture of what `footlight demo` prints.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { binary } from '../../test/support/client.ts'

const WIDTH = 104
const LINE = 18
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Lines of a terminal as one SVG: what went well is green, what failed is red, the words between are pale. */
export function picture(lines: readonly string[]): string {
  const colour = (line: string) =>
    /✗|_CLICKABLE/.test(line)
      ? '#f87171'
      : /✓/.test(line)
        ? '#86efac'
        : /^ {3}\S/.test(line)
          ? '#fde68a'
          : '#cbd5e1'
  const rows = lines.map(
    (line, index) =>
      `<text x="16" y="${32 + index * LINE}" fill="${colour(line)}" xml:space="preserve">${escaped(line)}</text>`,
  )
  const [width, height] = [WIDTH * 8 + 32, lines.length * LINE + 40]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13">`,
    `<rect width="100%" height="100%" rx="8" fill="#0f172a"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

/** Breaks what is too long for the picture. */
export const wrapped = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? [''])

if (import.meta.main) {
  const cwd = mkdtempSync(join(tmpdir(), 'fl-picture-'))
  const ran = Bun.spawnSync([binary, 'demo'], { cwd })
  rmSync(cwd, { recursive: true })
  const printed = ran.stdout.toString().replaceAll(binary, 'footlight')
  const lines = wrapped(`$ footlight demo\n${printed}`)
  writeFileSync(resolve(import.meta.dir, '../../docs/demo.svg'), picture(lines))
}
