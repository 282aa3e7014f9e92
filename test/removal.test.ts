// A feature goes by deleting its folder and its line. Those that import it, and so name it in `after`, go with it. Without all of them there
// is the core.

import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { toKebabCase } from '../src/core/cli/options/option-names.ts'
import { features } from '../src/features/index.ts'
import { callOrThrow, connect } from './support/client.ts'
import { removedWith } from './support/removed-features.ts'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'fl-removal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function copyWithout(names: readonly string[], copy: string, more: readonly string[] = []): void {
  for (const path of ['src', 'tsconfig.json', 'package.json', ...more])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const name of names) rmSync(join(copy, 'src/features', name), { recursive: true })
  const list = join(copy, 'src/features/index.ts')
  const lines = readFileSync(list, 'utf8').split('\n')
  const gone = lines.filter((line) => names.some((name) => line.includes(`'./${name}/feature.ts'`)))
  const constants = gone.map((line) => /\{ (\w+) \}/.exec(line)?.[1])
  const rest = lines.filter(
    (line) => !gone.includes(line) && !constants.includes(line.trim().replace(',', '')),
  )
  writeFileSync(list, rest.join('\n'))
  writeFileSync(
    join(copy, 'tsconfig.json'),
    readFileSync(join(copy, 'tsconfig.json'), 'utf8').replace(/"include": \[[^\]]*\]/, '"include": ["src"]'),
  )
}

/** What it prints, where it fails. */
async function runBun(cwd: string, ...args: readonly string[]): Promise<string> {
  const run = Bun.spawn([process.execPath, ...args], { cwd, stdout: 'pipe', stderr: 'pipe' })
  const texts = await Promise.all([run.stdout, run.stderr].map((stream) => new Response(stream).text()))
  const text = texts.join('')
  return (await run.exited) === 0 ? '' : text || 'failed'
}

const featureNames = features.map(({ name }) => name)
const PER_DAY = 3
const today = Math.floor(Date.now() / 86_400_000) * PER_DAY
const isRelease = process.env['FOOTLIGHT_ALL_FEATURES'] === 'true'
/** Three by turns; all of them for a release. */
const tried = isRelease
  ? featureNames
  : Array.from({ length: PER_DAY }, (_, index) => featureNames[(today + index) % featureNames.length] ?? '')

test.each(tried)(
  'without %s the rest is whole',
  async (name) => {
    const copy = join(folder, name)
    copyWithout([...removedWith(name)], copy)
    expect(await runBun(copy, 'check', '--no-script')).toBe('')
  },
  300_000,
)

test('an action that nothing performs is an error of the type checker', async () => {
  const copy = join(folder, 'performers')
  copyWithout([], copy)
  const edit = (path: string, from: RegExp) => {
    const source = readFileSync(join(copy, path), 'utf8')
    expect(source).toMatch(from)
    writeFileSync(join(copy, path), source.replace(from, ''))
  }
  edit('src/features/touch/touch.ts', /interface FeaturePerformers extends .*/)
  const errors = await runBun(copy, 'check', '--no-script')
  expect(errors).toContain('src/core/browser/page/perform.ts')
  expect(errors).toContain("Property 'touch' is missing")
}, 300_000)

const SERVER = `import { createServer } from 'node:http'
createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<title>Shop</title><button onclick="this.textContent = \\'Thanks\\'">Buy</button>')
}).listen(process.env.PORT)
`

test('without any feature the core builds and serves a session with its dev server', async () => {
  const copy = join(folder, 'core')
  copyWithout([...featureNames, 'lib'], copy, ['build.ts', 'scripts', 'LICENSE', 'README.md'])
  writeFileSync(join(copy, 'server.mjs'), SERVER)
  expect(await runBun(copy, 'check', '--no-script')).toBe('')
  expect(await runBun(copy, 'build.ts')).toBe('')
  const peer = await connect({ command: [join(copy, 'dist/footlight')], cwd: copy })
  const { url } = await callOrThrow(peer, 'create_session', { command: 'node server.mjs' })
  expect(await callOrThrow(peer, 'navigate', { url })).toMatchObject({ status: 200, title: 'Shop' })
  expect((await callOrThrow(peer, 'snapshot')).snapshot).toContain('button "Buy" [e1]')
  await callOrThrow(peer, 'click', { ref: 'e1' })
  expect((await callOrThrow(peer, 'snapshot')).snapshot).toContain('button "Thanks" [e1]')
  expect((await callOrThrow(peer, 'close_session')).message).toContain('The server is stopped.')
  for (const [field, value] of Object.entries(refusedFields)) {
    const { failed, data } = await peer.call('create_session', { [field]: value })
    expect([field, failed, data.errorCode, data.details.field]).toEqual([
      field,
      true,
      'INVALID_PARAMETERS',
      field,
    ])
  }
  await peer.close()
}, 300_000)

/** Files of `test/core` with tests of what a feature adds. */
const withFeatures = [
  'base/files/open-document',
  'base/files/session-files',
  'browser/checks/poll-with-client',
  'browser/tab/close-page',
  'cli/command-line',
  'cli/help',
  'cli/settings',
  'mcp/coerce-input',
  'mcp/failure-text',
  'mcp/input-bounds',
  'mcp/odd-text',
  'mcp/result-text',
  'mcp/tool-names',
  'sessions/session-manager',
].map((name) => `test/core/${name}.test.ts`)

test.if(isRelease)(
  'without any feature the tests of the core pass',
  async () => {
    const copy = join(folder, 'core')
    for (const path of ['test', 'bunfig.toml'])
      cpSync(join(root, path), join(copy, path), { recursive: true })
    const files = [...new Glob('test/core/**/*.test.ts').scanSync(copy)]
    const tests = files.filter((file) => !withFeatures.includes(file)).map((file) => `./${file}`)
    expect(await runBun(copy, 'test', '--timeout', '90000', ...tests)).toBe('')
  },
  1_200_000,
)

/** What features would make of them: nothing is left out in silence. */
const refusedFields = {
  restore: 'ada',
  profile: 'ada',
  storageState: { cookies: [], origins: [] },
  allowedDomains: ['example.com'],
  attach: true,
  extension: 'extension',
  device: 'iPhone 15',
  initScript: '1',
  trace: 'on',
  report: 'on',
}

const optionsOfFeatures = features.flatMap(({ options = [] }) =>
  options.flatMap(({ entries }) => Object.keys(entries)),
)

test('the options of features go with them', () => {
  const run = (...args: readonly string[]) => Bun.spawnSync([join(folder, 'core/dist/footlight'), ...args])
  const help = String(run('help', 'options').stdout)
  expect(help).toContain('--browser NAME')
  expect(optionsOfFeatures.filter((name) => help.includes(`--${toKebabCase(name)} `))).toEqual([])
  const { stderr, exitCode } = run('--http')
  expect([String(stderr), exitCode]).toEqual([expect.stringContaining('unknown option --http'), 2])
})
