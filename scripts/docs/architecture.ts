// docs/project/architecture.md is written by hand except its blocks: the drawing of the rooms, which is made of the imports, the tables of rooms and
// features, and the examples, which a test runs.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { featureParts } from '../../src/core/cli/tools/catalogue.ts'
import { features } from '../../src/features/index.ts'
import { rooms } from '../../test/support/folders.ts'
import { cell, fenced, table } from './markdown.ts'

const root = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The page with its blocks regenerated. */
export function architecturePage(text: string): string {
  const blocks = {
    drawing: fenced('mermaid', drawing()),
    rooms: table(['room of `src/core`', 'what it is'], Object.keys(rooms).map(roomRow)),
    features: table(['feature', 'what it is', 'adds', 'after'], features.map(featureRow)),
    touch: fenced('ts', read('src/features/touch/feature.ts')),
    // In the room of the tools of pages the imports are shorter.
    example: fenced('ts', read('test/fixtures/example-tool.ts').replaceAll("'../../src/core/", "'../../")),
  }
  return Object.entries(blocks).reduce((page, [name, block]) => {
    const pattern = new RegExp(`(<!-- ${name}: bun run docs -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    return page.replace(pattern, (_, open: string, close: string) => `${open}\n${block}\n\n${close}`)
  }, text)
}

/** The rooms and what each imports, without what another of its imports brings anyway. */
function drawing(): string {
  const imports = roomImports()
  const reach = (room: string): ReadonlySet<string> =>
    new Set([...(imports.get(room) ?? [])].flatMap((other) => [other, ...reach(other)]))
  const lines = [...imports].flatMap(([room, others]) =>
    [...others]
      .filter((other) => ![...others].some((one) => one !== other && reach(one).has(other)))
      .map((other) => `  ${room} --> ${other}`),
  )
  return ['graph BT', ...lines.toSorted(), '  features -. what a feature adds .-> cli'].join('\n')
}

function roomImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map(Object.keys(rooms).map((room) => [room, new Set<string>()]))
  const roomOf = (path: string) => /^src\/core\/(\w+)\//.exec(path)?.[1] ?? ''
  for (const path of new Glob('src/core/**/*.ts').scanSync(root))
    for (const [, specifier = ''] of read(path).matchAll(/\bfrom '(\.[^']+)'/g)) {
      const other = roomOf(normalize(join(dirname(path), specifier)))
      if (other !== '' && other !== roomOf(path) && rooms[roomOf(path)]?.includes(other))
        imports.get(roomOf(path))?.add(other)
    }
  return imports
}

function roomRow(room: string): string[] {
  const [, , ...lines] = read(`src/core/${room}/README.md`).trimEnd().split('\n')
  return [`\`${room}\``, cell(lines.join(' '))]
}

function featureRow({ name, after = [], commands = {}, load }: (typeof features)[number]): string[] {
  const [head = ''] = read(`src/features/${name}/feature.ts`).split('\n\n')
  const index = features.filter((feature) => feature.load).findIndex((feature) => feature.name === name)
  const { tools = [], otherTools = [] } = (load && featureParts[index]) ?? {}
  const added = [
    ...[...tools, ...otherTools].map((tool) => `\`${tool.name}\``),
    ...Object.keys(commands).map((command) => `\`footlight ${command}\``),
  ]
  return [`\`${name}\``, cell(head.replace(/^\/\/ /gm, '')), added.join(' '), after.join(', ')]
}
