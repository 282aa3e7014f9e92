// `bun scripts/docs/picture.ts`: docs/demo.svg, an image of the output of `footlight demo`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { binary } from '../../test/support/client.ts'

const LINE_LIMIT_CHARS = 104
const LINE_HEIGHT_PX = 18
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Renders terminal lines as an SVG: successes are green, failures red, other text pale. */
export function renderPicture(lines: readonly string[]): string {
  const colourOf = (line: string) =>
    /✗|_CLICKABLE/.test(line)
      ? '#f87171'
      : /✓/.test(line)
        ? '#86efac'
        : /^ {3}\S/.test(line)
          ? '#fde68a'
          : '#cbd5e1'
  const rows = lines.map(
    (line, index) =>
      `<text x="16" y="${32 + index * LINE_HEIGHT_PX}" fill="${colourOf(line)}" xml:space="preserve">${escapeXml(line)}</text>`,
  )
  const [width, height] = [LINE_LIMIT_CHARS * 8 + 32, lines.length * LINE_HEIGHT_PX + 40]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13">`,
    `<rect width="100%" height="100%" rx="8" fill="#0f172a"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

/** Splits lines that are too long for the image. */
export const wrapLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${LINE_LIMIT_CHARS}}`, 'g')) ?? [''])

if (import.meta.main) {
  const cwd = mkdtempSync(join(tmpdir(), 'fl-picture-'))
  const demo = Bun.spawnSync([binary, 'demo'], { cwd })
  rmSync(cwd, { recursive: true })
  const output = demo.stdout
    .toString()
    .replaceAll(binary, 'footlight')
    .replace(/[^"]*footlight-demo-\w+/g, '~/stage-list')
    .replaceAll(cwd, '~')
  const lines = wrapLines(`$ footlight demo\n${output}`)
  writeFileSync(resolve(import.meta.dir, '../../docs/demo.svg'), renderPicture(lines))
}
