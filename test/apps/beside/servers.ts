// The servers that a step needs beside the pages: a Next application, and one that ends when it is asked.

import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../../support/leftovers.ts'
import { reservePort } from '../../support/reserve-port.ts'

const START_LIMIT_MS = 120_000

export interface Running {
  readonly url: string
  close(): void
}

const layout = 'export default ({ children }) => <html><body>{children}</body></html>'

export async function startNext(folder: string): Promise<Running> {
  const app = join(folder, 'next-app')
  mkdirSync(join(app, 'app'), { recursive: true })
  writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(
    join(app, 'next.config.js'),
    `export default { devIndicators: false, turbopack: { root: ${JSON.stringify(folder)} } }`,
  )
  writeFileSync(join(app, 'app/layout.js'), layout)
  cpSync(join(import.meta.dir, 'site/next-page.js'), join(app, 'app/page.js'))
  return start([join(folder, 'node_modules/next/dist/bin/next'), 'dev'], app)
}

export const startCrashing = (): Promise<Running> => start([crashing], import.meta.dir)

export const crashing = join(import.meta.dir, 'site/crashing-server.mjs')

async function start(args: readonly string[], cwd: string): Promise<Running> {
  const port = await reservePort()
  const url = `http://localhost:${port}`
  const child = spawn('node', [...args], {
    cwd,
    env: { ...process.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
    detached: true,
  })
  process.once('exit', () => end(child))
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await until(answers, START_LIMIT_MS))) throw new Error(`${args.join(' ')} does not answer`)
  return { url, close: () => end(child) }
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
