// Packs the output of build.ts for publication (`bun run release`): archives with their checksums, a Homebrew formula, bundles and the
// registry entry, npm packages, an SBOM. The build is reproducible.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { json, sha256 } from './release/archive.ts'
import { formula } from './release/formula.ts'
import {
  emptyFolder,
  findExecutables,
  licenceOf,
  readDocuments,
  readExecutable,
  readLock,
  readModules,
} from './release/inputs.ts'
import { launcherPackage, npmTarball, tarball } from './release/npm.ts'
import { readOptions, usage } from './release/options.ts'
import { fileStem, packTarget } from './release/pack.ts'
import { version } from './release/project.ts'
import { serverJson } from './release/registry.ts'
import { sbom } from './release/sbom.ts'
import { scoopManifest, wingetManifests } from './release/windows.ts'

const options = readOptions(process.argv.slice(2))
if (!options.ok) exitWithError(2, `${options.error}\n\n${usage}`)
const { dist, out, effort } = options.value
const inputs = findExecutables(options.value)
if (!inputs.ok) exitWithError(1, inputs.error)
const { built, missing } = inputs.value
if (missing.length > 0) console.error(`release: not built, so left out: ${missing.join(', ')}`)

const folder = emptyFolder(out)
if (!folder.ok) exitWithError(1, folder.error)
const checksums = new Map<string, string>()
const documents = readDocuments(dist)

for (const executable of built) {
  for (const { file, bytes } of await packTarget(
    executable.target,
    readExecutable(executable),
    documents,
    effort,
  ))
    write(file, bytes)
}

const archiveFiles = built.map(({ target }) => ({ target, file: `${fileStem(target)}.tar.gz` }))
const sources = archiveFiles.flatMap((source) => {
  const checksum = checksums.get(source.file)
  return checksum === undefined || source.target.libc === 'musl' ? [] : [{ ...source, sha256: checksum }]
})
const bundles = [...checksums]
  .filter(([file]) => file.endsWith('.mcpb'))
  .map(([file, checksum]) => ({ file, sha256: checksum }))
const launcher = launcherPackage(
  built.map(({ target }) => target),
  readFileSync('scripts/release/launcher.cjs'),
  readModules(join(dist, 'npm')),
  documents,
)
write(`npm/${tarball('footlight')}`, await npmTarball(launcher, effort))
write('footlight.rb', Buffer.from(formula(sources)))
for (const [file, checksum] of [...checksums].filter(([file]) => file.endsWith('-windows-x64.zip'))) {
  const archive = { file, sha256: checksum }
  write('footlight.json', json(scoopManifest(archive)))
  for (const [name, text] of Object.entries(wingetManifests(archive))) write(name, Buffer.from(text))
}
write('server.json', json(serverJson(bundles)))
write(`footlight-v${version}.cdx.json`, json(sbom(readLock(), licenceOf)))
write('VERSION', Buffer.from(`${version}\n`))
for (const script of ['install.sh', 'install.ps1']) write(script, readFileSync(script))

// Files in npm/ are published elsewhere, with their own checksums.
const listedFiles = [...checksums]
  .filter(([file]) => !file.includes('/'))
  .sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(
  join(out, 'SHA256SUMS'),
  listedFiles.map(([file, checksum]) => `${checksum}  ${file}\n`).join(''),
)
console.log(
  `${out}: footlight ${version}, ${built.length} of ${built.length + missing.length} targets, ${checksums.size + 1} files`,
)

function write(file: string, bytes: Uint8Array): void {
  writeFileSync(join(out, file), bytes)
  checksums.set(file, sha256(bytes))
  console.log(`${(bytes.length / 1e6).toFixed(1).padStart(7)} MB  ${file}`)
}

function exitWithError(code: number, text: string): never {
  console.error(`release: ${text}`)
  process.exit(code)
}
