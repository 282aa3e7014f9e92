// The packages of the pages and the contender, installed once into the cache folder of the user, and the pages bundled with them.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { versions } from '../../../bench/peers.ts'

const packages = [
  `@playwright/mcp@${versions['@playwright/mcp']}`,
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  '@mui/material@9.5.0',
  '@emotion/react@11.14.0',
  '@emotion/styled@11.14.1',
  '@radix-ui/react-select@2.4.1',
  '@dnd-kit/core@6.3.1',
  'monaco-editor@0.57.0',
  'codemirror@6.0.2',
] as const

const INSTALL_LIMIT_MS = 600_000

/** Answers the folder that has `node_modules` with all of them. */
export function installed(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'footlight-apps')
  const hash = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12)
  const folder = join(cache, `beside-${hash}`)
  if (existsSync(join(folder, 'complete'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  const { status, stderr } = spawnSync('npm', [...args, ...packages], {
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  })
  if (status !== 0) throw new Error(`npm install: ${stderr}`)
  mkdirSync(join(folder, 'complete'))
  return folder
}

export interface Bundles {
  /** Scripts and styles by path. */
  readonly files: Readonly<Record<string, Blob>>
  /** What a server renders. */
  readonly html: string
}

export async function bundle(folder: string): Promise<Bundles> {
  const site = join(folder, 'site')
  const out = join(folder, 'out')
  for (const one of [site, out]) rmSync(one, { recursive: true, force: true })
  cpSync(join(import.meta.dir, 'site'), site, { recursive: true })
  const browserEntries = ['widgets.jsx', 'hydrate.jsx', 'editors.js', 'monaco-worker.js']
  const define = { 'process.env.NODE_ENV': '"development"' }
  const built = await Bun.build({
    entrypoints: browserEntries.map((name) => join(site, name)),
    target: 'browser',
    define,
  })
  const server = await Bun.build({
    entrypoints: [join(site, 'render.jsx')],
    target: 'node',
    outdir: out,
    define,
  })
  const { html } = await import(server.outputs[0]?.path ?? '')
  return { files: Object.fromEntries(built.outputs.map((one) => [one.path.replace(/^\./, ''), one])), html }
}
