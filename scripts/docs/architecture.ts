// docs/architecture.md is written by hand except two blocks: the example tool from test/fixtures, which a test runs, and the table of allowed
// imports, which test/architecture.test.ts enforces.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rooms } from '../../test/support/folders.ts'
import { fenced, table } from './markdown.ts'

const example = join(import.meta.dir, '../../test/fixtures/example-tool.ts')

/** The page with its two blocks regenerated. */
export function architecturePage(text: string): string {
  // In the room of the tools of pages the imports are shorter.
  const code = readFileSync(example, 'utf8').replaceAll("'../../src/core/", "'../../")
  const rows = Object.entries(rooms).map(([folder, allowedFolders]) => [
    `\`src/core/${folder}\``,
    allowedFolders.map((allowedFolder) => `\`${allowedFolder}\``).join(' '),
  ])
  const blocks = { example: fenced('ts', code), imports: table(['room', 'may import'], rows) }
  return Object.entries(blocks).reduce((page, [name, block]) => {
    const pattern = new RegExp(`(<!-- ${name}: bun run docs -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    return page.replace(pattern, (_, open: string, close: string) => `${open}\n${block}\n\n${close}`)
  }, text)
}
