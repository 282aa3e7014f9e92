// The notices that a shipped executable owes: for each package that went into it its licence text, and Bun's own list, with
// JavaScriptCore and TinyCC that Bun links statically.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isNotice = (name: string): boolean =>
  /^(licen[cs]e|notice|thirdpartynotices)/i.test(name) || /\.LICENSE$/.test(name)

/** The text for an executable made of these source files (paths below the checkout). */
export function noticesFor(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const packages = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).sort()
  const head = '# Third-party notices\n\nFootlight is MIT-licensed. Its executable contains what follows.'
  return [head, bun(), ...packages.map(section)].join('\n\n') + '\n'
}

function section(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const places = [folder, join(folder, 'lib')].filter(existsSync)
  const files = places.flatMap((place) =>
    readdirSync(place)
      .filter(isNotice)
      .map((file) => join(place, file)),
  )
  const texts = files.map(
    (file) => `\`\`\`text\n${readFileSync(file, 'utf8').trim().replaceAll('```', "'''")}\n\`\`\``,
  )
  return [`## ${name} ${version} (${license})`, ...texts].join('\n\n')
}

function bun(): string {
  const { version } = JSON.parse(readFileSync('node_modules/bun/package.json', 'utf8'))
  const text = readFileSync('node_modules/bun-types/docs/project/license.mdx', 'utf8').replace(
    /^---[\s\S]*?---\n/,
    '',
  )
  return `## Bun ${version} (MIT, with the libraries below)\n\n${text.trim().replace(/^##/gm, '###')}`
}
