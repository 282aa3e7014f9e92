// The pages that are made from the program. `bun run docs` writes them; test/docs.test.ts checks them.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architecture } from './architecture.ts'
import { failuresPage } from './failures.ts'
import { optionsPage } from './options.ts'
import { toolsPage } from './tools.ts'
import * as readme from '../../test/support/readme.ts'

export const root = join(import.meta.dir, '../..')

const note = '<!-- made by `bun run docs`; do not edit -->'
const whole = (text: string) => `${note}\n\n${text}\n`
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Every page as it should be, by its path in the checkout. */
export const pages: Readonly<Record<string, () => string>> = {
  'README.md': () => readme.current(read('README.md')),
  'docs/tools.md': () => whole(toolsPage()),
  'docs/options.md': () => whole(optionsPage()),
  'docs/failures.md': () => whole(failuresPage()),
  'docs/architecture.md': () => architecture(read('docs/architecture.md')),
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text())
}
