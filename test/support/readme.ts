// The README's tables, from the same data as the program. `bun run docs` writes them; test/readme.test.ts checks them.

import { join } from 'node:path'
import { defaultOf, optionsInGroup } from '../../src/cli/options/help.ts'
import { toKebabCase, optionOf } from '../../src/cli/options/options.ts'
import { toolTable } from '../../src/cli/print-tools.ts'
import { catalogue } from '../../src/tools/catalogue.ts'

export const path = join(import.meta.dir, '../../README.md')

function optionTable(): string {
  const rows = (['Browser', 'Sessions', 'Tools', 'Server'] as const).flatMap(optionsInGroup).map((name) => {
    const { value, about } = optionOf(name)
    return `| \`--${toKebabCase(name)}${value ? ` ${value}` : ''}\` | ${about} | ${defaultOf(name)} |`
  })
  return ['| option | what it is | default |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The text with its generated blocks made anew. */
export function current(text: string): string {
  const blocks = { tools: toolTable(catalogue), options: optionTable() }
  return Object.entries(blocks).reduce((page, [name, block]) => {
    const pattern = new RegExp(`(<!-- ${name}: bun run docs -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    return page.replace(pattern, (_, open: string, close: string) => `${open}\n${block}\n\n${close}`)
  }, text)
}
