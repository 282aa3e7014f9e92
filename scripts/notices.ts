// The notices that must be shipped with an executable: the licence text of each bundled package, and Bun's own list, which includes the
// statically linked JavaScriptCore and TinyCC.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isNotice = (name: string): boolean =>
  /^(licen[cs]e|notice|thirdpartynotices)/i.test(name) || /\.LICENSE$/.test(name)

/** The text for an executable that is built from these source files (paths below the checkout). */
export function noticesFor(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const packages = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).sort()
  const head = '# Third-party notices\n\nFootlight is MIT-licensed. Its executable contains what follows.'
  return [head, bunSection(), ...packages.map(packageSection)].join('\n\n') + '\n'
}

function packageSection(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const noticeFolders = [folder, join(folder, 'lib')].filter(existsSync)
  const files = noticeFolders.flatMap((place) =>
    readdirSync(place)
      .filter(isNotice)
      .map((file) => join(place, file)),
  )
  const texts = files.map(
    (file) => `\`\`\`text\n${readFileSync(file, 'utf8').trim().replaceAll('```', "'''")}\n\`\`\``,
  )
  return [`## ${name} ${version} (${license})`, ...texts].join('\n\n')
}

function bunSection(): string {
  const { version } = JSON.parse(readFileSync('node_modules/bun/package.json', 'utf8'))
  const text = readFileSync('node_modules/bun-types/docs/project/license.mdx', 'utf8').replace(
    /^---[\s\S]*?---\n/,
    '',
  )
  return `## Bun ${version} (MIT, with the libraries below)\n\n${text.trim().replace(/^##/gm, '###')}`
}
