// Bundles a page into a folder with an index.html.

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { kept, keptPlain } from './kept.ts'
import type { Page } from './page.ts'

/** Bundles a page into `target`; the sources are beside the packages, which is where esbuild looks for them. */
export function bundle(page: Page, installed: string, target: string): void {
  const sources = join(installed, `sources-${process.pid}`)
  mkdirSync(sources)
  try {
    writeFileSync(join(sources, 'kept.jsx'), page.code.includes('show(') ? kept : keptPlain)
    writeFileSync(join(sources, 'page.jsx'), page.code)
    const { status, stderr } = spawnSync(
      join(installed, 'node_modules/.bin/esbuild'),
      [join(sources, 'page.jsx'), `--outdir=${target}`, ...OPTIONS],
      { cwd: installed, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`esbuild: ${page.name}: ${stderr}`)
  } finally {
    rmSync(sources, { recursive: true })
  }
  writeFileSync(
    join(target, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${page.name}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><style>main { display: grid; gap: 12px; max-width: 480px; margin: 16px }</style>
<body><script type="module" src="page.js"></script></body></html>`,
  )
}

const OPTIONS = [
  '--bundle',
  '--minify',
  '--format=esm',
  '--jsx=automatic',
  '--log-level=error',
  '--define:process.env.NODE_ENV="production"',
  '--define:process.env={}',
  '--define:__VUE_OPTIONS_API__=true',
  '--define:__VUE_PROD_DEVTOOLS__=false',
  '--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false',
  '--alias:vue=vue/dist/vue.esm-bundler.js',
  ...['woff', 'woff2', 'ttf', 'eot', 'svg', 'png', 'gif'].map((kind) => `--loader:.${kind}=dataurl`),
]
