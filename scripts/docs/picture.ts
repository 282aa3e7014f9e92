// `bun scripts/docs/picture.ts`: docs/demo.svg, an image of the output of `footlight demo`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { wrapLines } from '../../src/core/cli/terminal/output.ts'
import { binary } from '../../test/support/client.ts'

// As wide as a README shows it, so that nothing is scaled down.
const LINE_LIMIT_CHARS = 88
const FONT_SIZE_PX = 14
const LINE_HEIGHT_PX = 20
/** A width that no font of the list exceeds. */
const CHARACTER_WIDTH_PX = 0.61 * FONT_SIZE_PX
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Renders terminal lines as an SVG: successes are green, failures red, other text pale. */
function renderPicture(lines: readonly string[]): string {
  const colourOf = (line: string) =>
    /✗|_CLICKABLE/.test(line)
      ? '#f87171'
      : /✓/.test(line)
        ? '#86efac'
        : /^ {3}\S/.test(line)
          ? '#fde68a'
          : '#cbd5e1'
  const parts = lines.flatMap((line) =>
    wrapLines(line, LINE_LIMIT_CHARS)
      .split('\n')
      .map((text) => ({ text, colour: colourOf(line) })),
  )
  const rows = parts.map(
    ({ text, colour }, index) =>
      `<text x="16" y="${32 + index * LINE_HEIGHT_PX}" fill="${colour}" xml:space="preserve">${escapeXml(text)}</text>`,
  )
  const [width, height] = [
    Math.ceil(LINE_LIMIT_CHARS * CHARACTER_WIDTH_PX) + 32,
    parts.length * LINE_HEIGHT_PX + 40,
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="${FONT_SIZE_PX}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0f172a"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

if (import.meta.main) {
  const cwd = mkdtempSync(join(tmpdir(), 'fl-picture-'))
  const demo = Bun.spawnSync([binary, 'demo'], { cwd })
  rmSync(cwd, { recursive: true })
  const output = demo.stdout
    .toString()
    .replaceAll(binary, 'footlight')
    .replace(/[^"]*footlight-demo-\w+/g, '~/stage-list')
    .replaceAll(cwd, '~')
  const lines = `$ footlight demo\n${output.trimEnd()}`.split('\n')
  writeFileSync(resolve(import.meta.dir, '../../docs/demo.svg'), renderPicture(lines))
}
