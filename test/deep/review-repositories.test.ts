// The third review's proofs with repositories and folders of others, against the executable: what they hold is neither read, run nor replaced.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect, type Peer } from '../support/client.ts'
import { openShell, type Shell } from '../support/shell.ts'
import { createShop, edit, git } from '../support/small-shop.ts'

const SECRET = 'the words of a diary'

let outer = ''
let unmount: (() => void) | undefined
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'fl-review-')))
  writeFileSync(join(outer, 'diary.css'), `.lead { color: #ddd } /* ${SECRET} */\n`)
})
afterEach(() => {
  unmount?.()
  unmount = undefined
  rmSync(outer, { recursive: true, force: true })
})

/** Compares a shop that `change` has changed, in a server of its own, while another session is asked. */
async function compareShop(
  folder: string,
  change: () => unknown,
  { base = 'HEAD', env = {} }: { base?: string; env?: Record<string, string> } = {},
) {
  mkdirSync(folder, { recursive: true })
  createShop(folder)
  edit(folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  await change()
  const peer = await connect({ args: ['--headless', '--tools', '+compare'], cwd: folder, env })
  const other = await peer.session()
  let longest = 0
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const before = performance.now()
      await callOrThrow(peer, 'evaluate', { sessionId: other, script: '6 * 7' })
      longest = Math.max(longest, performance.now() - before)
    }
  })()
  const answer = await peer.call('compare', { base, command: ['node', 'server.js'], cwd: folder, flow: '/' })
  isDone = true
  await asking
  const records = existsSync(join(folder, '.git', 'worktrees'))
  await peer.close()
  return { ...answer, text: JSON.stringify(answer), longest, records }
}

/** What compare wrote for a pull request. */
const written = ({ data }: Awaited<ReturnType<Peer['call']>>): string =>
  [data.files.md, data.files.html].map((path) => readFileSync(path, 'utf8')).join('')

test('r01, r02: links of the work tree to a pipe, a device and a diary', async () => {
  const folder = join(outer, 'shop')
  const answer = await compareShop(folder, () => {
    execFileSync('mkfifo', [join(outer, 'pipe')])
    symlinkSync(join(outer, 'pipe'), join(folder, 'public', 'one.css'))
    symlinkSync('/dev/zero', join(folder, 'public', 'two.css'))
    symlinkSync(join(outer, 'diary.css'), join(folder, 'public', 'three.css'))
    execFileSync('mkfifo', [join(folder, 'public', 'four.css')])
  })
  expect(answer.failed).toBe(false)
  expect(answer.text + written(answer)).not.toContain(SECRET)
  console.log(`r02: another session waited ${Math.round(answer.longest)} ms at most`)
  expect(answer.longest).toBeLessThan(5000)
}, 120_000)

test('r03: packages of the base that are a link to nowhere', async () => {
  const folder = join(outer, 'shop')
  const answer = await compareShop(folder, () => {
    symlinkSync('/nowhere', join(folder, 'node_modules'))
    git(folder, 'add', 'node_modules')
    git(folder, 'commit', '--quiet', '--message=link', 'node_modules')
    rmSync(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'node_modules', 'a'), { recursive: true })
  })
  expect([answer.failed, answer.records]).toEqual([false, false])
}, 120_000)

test('r04: a folder whose name has a line for the watchdog', async () => {
  const thesis = join(outer, 'thesis')
  mkdirSync(thesis)
  writeFileSync(join(thesis, 'chapter'), '1')
  await compareShop(join(outer, `evil\nfolder ${thesis}\nx`, 'repo'), () => {})
  await Bun.sleep(2000)
  expect(readdirSync(thesis)).toEqual(['chapter'])
}, 120_000)

test('r06: a filter of the configuration of the repository does not run, and that is said', async () => {
  const folder = join(outer, 'shop')
  const answer = await compareShop(folder, () => {
    writeFileSync(join(folder, '.gitattributes'), '*.html filter=own\n')
    for (const field of ['clean', 'smudge'])
      git(folder, 'config', `filter.own.${field}`, `sh -c 'touch ${join(outer, 'ran')}; cat'`)
    git(folder, 'add', '.gitattributes')
    git(folder, '-c', 'filter.own.clean=cat', 'commit', '--quiet', '--message=filter', '.gitattributes')
    rmSync(join(outer, 'ran'), { force: true })
  })
  expect([answer.failed, existsSync(join(outer, 'ran'))]).toEqual([false, false])
  expect(answer.text).toContain('own')
}, 120_000)

test('f10, r15: without git, and of a name of 4,000 characters', async () => {
  const tools = join(outer, 'tools')
  mkdirSync(tools)
  symlinkSync(Bun.which('node') ?? '', join(tools, 'node'))
  const cases = [
    [{ env: { PATH: tools } }, 'git is not installed'],
    [{ base: 'x'.repeat(4000) }, 'base'],
  ] as const
  for (const [index, [options, words]] of cases.entries()) {
    const { data } = await compareShop(join(outer, `shop-${index}`), () => {}, options)
    expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
    expect(data.message).toContain(words)
  }
}, 120_000)

test.skipIf(process.getuid?.() !== 0)(
  'f11: no space for the version of the base',
  async () => {
    const small = join(outer, 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'none', small])
    unmount = () => execFileSync('umount', ['--lazy', small])
    const folder = join(outer, 'shop')
    const fill = () => {
      writeFileSync(join(folder, 'large.bin'), randomBytes(80_000_000))
      git(folder, 'add', 'large.bin')
      git(folder, 'commit', '--quiet', '--message=large', 'large.bin')
    }
    const answer = await compareShop(folder, fill, { env: { TMPDIR: small } })
    expect(answer.data).toMatchObject({ errorCode: 'RESOURCE_EXHAUSTED' })
    expect([answer.data.message.includes('no space'), answer.records]).toEqual([true, false])
  },
  120_000,
)

/** `footlight report ./` in a web project, with a report that is found. */
async function indexReports(shell: Shell, change: (folder: string) => void) {
  const summary = { session: 's', date: '2026', actions: 1, failures: 0, consoleErrors: 0, failedRequests: 0 }
  const content = JSON.stringify(summary).replaceAll('"', '&#34;')
  mkdirSync(join(shell.folder, '.footlight', '12345678'), { recursive: true })
  const report = join(shell.folder, '.footlight', '12345678', 'report.html')
  writeFileSync(report, `<!doctype html><meta name="footlight-report" content="${content}">`)
  change(shell.folder)
  return shell.run('report', './')
}

test('r08, r09: report in a project with an index, with links to a profile, to itself and to outside', async () => {
  const shell = openShell()
  const index = join(shell.folder, 'index.html')
  const own = '<!doctype html><title>Shop</title>'
  expect(await indexReports(shell, () => writeFileSync(index, own))).toMatchObject({ code: 2 })
  expect(readFileSync(index, 'utf8')).toBe(own)
  rmSync(index)
  const profile = join(outer, '.profile')
  writeFileSync(profile, 'mine')
  expect(await indexReports(shell, () => symlinkSync(profile, index))).toMatchObject({ code: 2 })
  expect(readFileSync(profile, 'utf8')).toBe('mine')
  rmSync(index)
  mkdirSync(join(outer, 'elsewhere', 'b'), { recursive: true })
  writeFileSync(
    join(outer, 'elsewhere', 'b', 'secret.html'),
    readFileSync(join(shell.folder, '.footlight/12345678/report.html')),
  )
  const answer = await indexReports(shell, (folder) => {
    symlinkSync(folder, join(folder, 'loop'))
    symlinkSync(join(outer, 'elsewhere'), join(folder, 'linked'))
  })
  expect(answer).toMatchObject({ code: 0 })
  expect(readFileSync(index, 'utf8')).not.toContain('secret.html')
  await shell.close()
}, 60_000)

test.each([undefined, ''])(
  'r10, f06: a folder for output that was there, with .gitignore %j',
  async (text) => {
    mkdirSync(join(outer, '.footlight'))
    const ignored = join(outer, '.footlight', '.gitignore')
    if (text !== undefined) writeFileSync(ignored, text)
    const peer = await connect({ cwd: outer })
    await callOrThrow(peer, 'close_session', { sessionId: await peer.session({ trace: 'on' }) })
    await peer.close()
    expect(readFileSync(ignored, 'utf8')).toBe('*\n')
  },
  60_000,
)
