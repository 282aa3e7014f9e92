// Builds the executable for this machine (`bun run build`), for every target (`--all`) or for those that are named (`windows-x64`), and the
// npm package that runs on Node.

import { chmod, cp, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import process from 'node:process'
import pack from './package.json' with { type: 'json' }
import { noticesFor } from './scripts/notices.ts'
import { plugins } from './scripts/plugins/plugins.ts'
import { builtName, slug, type Target, targets } from './scripts/release/targets.ts'
import { everyTool } from './src/core/cli/tools/catalogue.ts'
import { convertSchemas } from './src/core/mcp/calls/tool-schema.ts'

const out = 'dist'
const toolSchemas = Object.fromEntries(everyTool.map((tool) => [tool.name, convertSchemas(tool)]))
const define = {
  FOOTLIGHT_VERSION: JSON.stringify(pack.version),
  FOOTLIGHT_TOOL_SCHEMAS: JSON.stringify(JSON.stringify(toolSchemas)),
}
// Playwright loads these only for features that are not used here.
const external = ['chromium-bidi/*', 'electron', 'electron/*']

// A command of the shell loads only what it needs.
const chunks = { splitting: true, format: 'esm' } as const
const buildOptions = { entrypoints: ['src/main.ts'], minify: true, ...chunks, external, define, plugins }

async function buildExecutable(name: string, target?: Target['bun']): Promise<void> {
  const outfile = join(out, name)
  await Bun.build({
    ...buildOptions,
    bytecode: true,
    compile: {
      outfile,
      execArgv: ['--no-orphans'],
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target && { target }),
    },
  })
  const file = Bun.file(outfile)
  const checksum = new Bun.CryptoHasher('sha256').update(await file.arrayBuffer()).digest('hex')
  await Bun.write(`${outfile}.sha256`, `${checksum}  ${basename(outfile)}\n`)
  console.log(`${outfile}  ${(file.size / 1e6).toFixed(1)} MB  sha256 ${checksum.slice(0, 12)}…`)
}

// Builds files that include Playwright, so that `npx footlight` downloads nothing else. Returns the source files of the bundle.
async function buildNpmPackage(): Promise<string[]> {
  const folder = join(out, 'npm')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const file = 'footlight.mjs'
  const banner = '#!/usr/bin/env node'
  const output = await Bun.build({
    ...buildOptions,
    target: 'node',
    outdir: folder,
    naming: { entry: file, chunk: 'chunks/[hash].mjs' },
    banner,
    metafile: true,
  })
  await chmod(join(folder, file), 0o755)
  const { name, version, description, license, engines } = pack
  const manifest = { name, version, description, license, engines, bin: { footlight: file } }
  await Bun.write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  console.log(folder)
  return Object.keys(output.metafile?.inputs ?? {})
}

const isAll = process.argv.includes('--all')
const extension = process.platform === 'win32' ? '.exe' : ''
await buildExecutable(`footlight${extension}`)
await Bun.write(join(out, 'THIRD_PARTY_NOTICES.md'), noticesFor(await buildNpmPackage()))
for (const target of targets.filter((target) => isAll || process.argv.includes(slug(target))))
  await buildExecutable(builtName(target), target.bun)
await cp('LICENSE', join(out, 'LICENSE'))
for (const file of ['README.md', 'LICENSE']) await cp(file, join(out, 'npm', file))
await cp(join(out, 'THIRD_PARTY_NOTICES.md'), join(out, 'npm/THIRD_PARTY_NOTICES.md'))
