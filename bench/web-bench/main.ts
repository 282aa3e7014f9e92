// `bun bench/web-bench/main.ts FOLDER [--project TEXT] [--specs 20]`: each project of Web-Bench (its repository, in FOLDER) compared with
// itself. What its specs do is done in a session, and `compare` does it in the revision and in the work tree, which are equal: each
// difference is a false one.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { chromium } from 'playwright'
import { type Answer, connect, dataOf, type Peer } from '../../test/support/client.ts'
import { findBenchBrowser } from '../peers.ts'
import { recordSpec } from './record-spec.ts'

const { values, positionals } = parseArgs({
  options: { project: { type: 'string', default: '' }, specs: { type: 'string', default: '25' } },
  allowPositionals: true,
})
const root = resolve(positionals[0] ?? '.')
const STATIC_SERVER = `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' }
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://a').pathname)
  try {
    const body = readFileSync('src' + (path === '/' ? '/index.html' : path))
    response.setHeader('content-type', types[extname(path)] ?? 'text/html').end(body)
  } catch {
    response.writeHead(404).end()
  }
})
server.listen(process.env.PORT, '127.0.0.1', () => console.log('http://127.0.0.1:' + process.env.PORT))
`

interface Project {
  readonly folder: string
  readonly command: string
}

interface Result {
  readonly specs: number
  readonly steps: number
  readonly differences: number
  readonly masked: number
  readonly seconds: number
  readonly notes: readonly string[]
}

/** A copy with its packages, as a repository of its own; otherwise why it has none. */
function prepareProject(name: string): Project | string {
  const source = join(root, 'projects', name)
  const text = readFileSync(join(source, 'package.json'), 'utf8')
  const configuration = ['playwright.config.js', 'playwright.config.ts']
    .map((file) => join(source, file))
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
  const isVite = /npx vite --port/.test(configuration)
  if (!isVite && !/`npx serve \$\{PROJECT_DIR\}/.test(configuration)) return 'it has a server of its own kind'
  const folder = mkdtempSync(join(tmpdir(), `fl-web-bench-${name}-`))
  cpSync(source, folder, { recursive: true })
  const manifest = JSON.parse(text) as Record<string, Record<string, string>>
  for (const kind of ['dependencies', 'devDependencies'])
    manifest[kind] = Object.fromEntries(
      Object.entries(manifest[kind] ?? {}).filter(
        ([key, version]) =>
          !version.startsWith('workspace:') && !['@playwright/test', 'serve', 'cross-env'].includes(key),
      ),
    )
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  if (isVite)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 180_000,
    })
  else writeFileSync(join(folder, 'serve.mjs'), STATIC_SERVER)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'all')
  const configurationFlag = /--config (\S+?)`/.exec(configuration)?.[1]
  const command = isVite
    ? `EVAL_PROJECT_PORT=$PORT npx vite --port $PORT${configurationFlag === undefined ? '' : ` --config ${configurationFlag}`}`
    : 'node serve.mjs'
  return { folder, command }
}

async function compareProject(name: string, { folder, command }: Project): Promise<Result> {
  const peer = await connect({
    args: ['--headless', '--tools', 'all,+compare', '--no-socket'],
    cwd: folder,
  })
  const notes: string[] = []
  try {
    const { data } = await peer.call('create_session', { command, viewport: { width: 1280, height: 720 } })
    if (data['errorCode'] !== undefined) throw new Error(String(data['message']))
    const sessionId = String(data['sessionId'])
    const done = await doSpecs(
      peer,
      sessionId,
      { name, origin: new URL(String(data['serverUrl'] ?? data['url'])).origin },
      notes,
    )
    if (done.specs === 0) return { ...done, differences: 0, masked: 0, seconds: 0, notes }
    const start = performance.now()
    const answer = await compareWithItself(peer, sessionId)
    const seconds = (performance.now() - start) / 1000
    if (answer['errorCode'] !== undefined) notes.push(`compare: ${answer['message']}`)
    const steps: { title: string; differences: object[] }[] = answer['steps'] ?? []
    for (const { title, differences } of steps)
      notes.push(`${title}: ${JSON.stringify(differences).slice(0, 300)}`)
    const count = steps.reduce((sum, { differences }) => sum + differences.length, 0)
    return { ...done, differences: count, masked: (answer['masked'] ?? []).length, seconds, notes }
  } finally {
    await peer.close()
  }
}

const COMPARE_TIMEOUT_MS = 600_000

async function compareWithItself(peer: Peer, sessionId: string): Promise<Answer['data']> {
  const call = { name: 'compare', arguments: { sessionId, base: 'HEAD', flow: ['session'] } }
  const result = await peer.client.callTool(call, undefined, { timeout: COMPARE_TIMEOUT_MS })
  return dataOf(result as CallToolResult)
}

async function doSpecs(
  peer: Peer,
  sessionId: string,
  { name, origin }: { readonly name: string; readonly origin: string },
  notes: string[],
): Promise<Pick<Result, 'specs' | 'steps'>> {
  let [specs, steps] = [0, 0]
  const files = readdirSync(join(root, 'projects', name, 'test'))
    .filter((file) => file.endsWith('.spec.js'))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  for (const file of files.slice(0, Number(values.specs))) {
    const path = join(root, 'projects', name, 'test', file)
    const flow = await recordSpec(path, browser, origin, join(root, 'libraries'))
    if (typeof flow === 'string') {
      notes.push(`${file}: ${flow}`)
      continue
    }
    let failure: unknown
    for (const { tool, input } of flow.calls) {
      const { data } = await peer.call(tool, { sessionId, ...input })
      failure = data['errorCode']
      if (failure !== undefined) {
        notes.push(`${file}: ${tool} ${JSON.stringify(input)}: ${String(data['message']).slice(0, 200)}`)
        break
      }
      steps += 1
    }
    if (failure === undefined) specs += 1
  }
  return { specs, steps }
}

const browser = await chromium.launch({ executablePath: findBenchBrowser(), args: ['--no-sandbox'] })
const total = { projects: 0, clean: 0, specs: 0, steps: 0, differences: 0, masked: 0 }
for (const name of readdirSync(join(root, 'projects')).filter((each) => each.includes(values.project))) {
  if (!existsSync(join(root, 'projects', name, 'test'))) continue
  try {
    const project = prepareProject(name)
    if (typeof project === 'string') {
      console.log(`${name}: not tried: ${project}`)
      continue
    }
    const result = await compareProject(name, project).finally(() =>
      rmSync(project.folder, { recursive: true, force: true }),
    )
    const { notes, ...figures } = result
    console.log(name, JSON.stringify(figures))
    for (const note of notes) console.log(`    ${note.replaceAll('\n', ' ')}`)
    if (figures.specs === 0) continue
    total.projects += 1
    total.clean += figures.differences === 0 && !notes.some((note) => note.startsWith('compare:')) ? 1 : 0
    total.specs += figures.specs
    total.steps += figures.steps
    total.differences += figures.differences
    total.masked += figures.masked
  } catch (error) {
    console.log(`${name}: failed: ${(error as Error).message.slice(0, 300)}`)
  }
}
console.log(JSON.stringify(total))
await browser.close()
process.exit(0)
