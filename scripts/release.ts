// Packs what build.ts has built into everything that is published (`bun run release`): archives with their sums, a Homebrew formula,
// bundles and the registry's entry, npm packages, a bill of materials. The same inputs give the same bytes.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { json, sha256 } from './release/archive.ts'
import { formula } from './release/formula.ts'
import { emptyFolder, find, licenceOf, papers, readExecutable, readLock } from './release/inputs.ts'
import { launcherPackage, npmTarball, tarball } from './release/npm.ts'
import { readOptions, usage } from './release/options.ts'
import { packTarget, stem } from './release/pack.ts'
import { version } from './release/project.ts'
import { serverJson } from './release/registry.ts'
import { sbom } from './release/sbom.ts'

const options = readOptions(process.argv.slice(2))
if (!options.ok) refuse(2, `${options.error}\n\n${usage}`)
const { dist, out, effort } = options.value
const found = find(options.value)
if (!found.ok) refuse(1, found.error)
const { built, missing } = found.value
if (missing.length > 0) console.error(`release: not built, so left out: ${missing.join(', ')}`)

const folder = emptyFolder(out)
if (!folder.ok) refuse(1, folder.error)
const sums = new Map<string, string>()
const beside = papers(dist)

for (const one of built) {
  for (const { file, bytes } of await packTarget(one.target, readExecutable(one), beside, effort))
    write(file, bytes)
}

const files = built.map(({ target }) => ({ target, file: `${stem(target)}.tar.gz` }))
const sources = files.flatMap((source) => {
  const sum = sums.get(source.file)
  return sum === undefined || source.target.libc === 'musl' ? [] : [{ ...source, sha256: sum }]
})
const bundles = [...sums]
  .filter(([file]) => file.endsWith('.mcpb'))
  .map(([file, sum]) => ({ file, sha256: sum }))
const launcher = launcherPackage(
  built.map(({ target }) => target),
  readFileSync('scripts/release/launcher.cjs'),
  readFileSync(join(dist, 'npm/footlight.cjs')),
  beside,
)
write(`npm/${tarball('footlight')}`, await npmTarball(launcher, effort))
write('footlight.rb', Buffer.from(formula(sources)))
write('server.json', json(serverJson(bundles)))
write(`footlight-v${version}.cdx.json`, json(sbom(readLock(), licenceOf)))
write('VERSION', Buffer.from(`${version}\n`))
for (const script of ['install.sh', 'install.ps1']) write(script, readFileSync(script))

// What lies in npm is published elsewhere, with sums of its own.
const listed = [...sums].filter(([file]) => !file.includes('/')).sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(join(out, 'SHA256SUMS'), listed.map(([file, sum]) => `${sum}  ${file}\n`).join(''))
console.log(
  `${out}: footlight ${version}, ${built.length} of ${built.length + missing.length} targets, ${sums.size + 1} files`,
)

function write(file: string, bytes: Uint8Array): void {
  writeFileSync(join(out, file), bytes)
  sums.set(file, sha256(bytes))
  console.log(`${(bytes.length / 1e6).toFixed(1).padStart(7)} MB  ${file}`)
}

function refuse(code: number, text: string): never {
  console.error(`release: ${text}`)
  process.exit(code)
}
