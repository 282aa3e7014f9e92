// The answers that write files for a pull request end with the line that posts them. The programs of GitHub and GitLab are scripts that note how
// they were called: they are asked for their version once, and nothing else.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

let [programs, before, now]: [string, Site | undefined, Site | undefined] = ['', undefined, undefined]
beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'fl-programs-'))
  before = await serveSite({}, page('<h1>Old</h1>', 'Shop'))
  now = await serveSite({}, page('<h1>New</h1><p>More</p>', 'Shop'))
})
afterAll(async () => {
  rmSync(programs, { recursive: true })
  await before?.close()
  await now?.close()
})

const git = (folder: string, ...args: string[]) =>
  expect(
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder }).status,
  ).toBe(0)

const HANGS = 'hangs'

interface Setup {
  readonly remote?: string
  /** What the program prints. */
  readonly gh?: string
  readonly glab?: string
  readonly args?: readonly string[]
}

/** A repository with one change, and a server in it. */
async function open({ remote, gh = '', glab = '', args = [] }: Setup) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-post-')))
  const log = join(folder, '.calls')
  for (const [name, version] of Object.entries({ gh, glab })) {
    const script = version === HANGS ? 'exec sleep 60' : version ? `echo "${version}"` : 'exit 1'
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> "$CALLS"\n${script}\n`, {
      mode: 0o755,
    })
  }
  writeFileSync(join(folder, 'shop.js'), 'export const price = 1\n')
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', 'shop.js')
  git(folder, 'commit', '--quiet', '-m', 'first')
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote)
  writeFileSync(join(folder, 'shop.js'), 'export const price = 2\n')
  const peer = await connect({
    args: ['--headless', '--tools', '+compare,+video', ...args],
    cwd: folder,
    env: { PATH: `${programs}${delimiter}${process.env['PATH']}`, CALLS: log },
  })
  await callOrThrow(peer, 'create_session', { name: 'shop' })
  await callOrThrow(peer, 'navigate', { url: now?.url })
  return {
    peer,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    async close() {
      await peer.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The line of a report, once the version is known: on a busy machine an answer does not wait for it. */
async function lineOfReport(peer: Peer, isExpected: (line: string) => boolean): Promise<string> {
  for (let count = 0; ; count += 1) {
    const { pullRequest = '' } = await callOrThrow(peer, 'report')
    if (isExpected(pullRequest) || count === 20) return pullRequest
  }
}

test('a new gh posts each with its pictures; it is asked for its version once and never posts', async () => {
  const { peer, calls, close } = await open({ remote: 'https://github.com/a/b.git', gh: 'gh version 2.99.0' })
  const line = await lineOfReport(peer, (text) => text.includes('gh pr'))
  expect(line).toMatch(/^cd \S+\/\.footlight\/\w+ && gh pr comment --body-file report\.md/)
  const report = await peer.call('report')
  expect((report.result.content as { text: string }[])[0]?.text.split('\n').at(-1)).toBe(
    `pull request: ${line}`,
  )
  const verify = await callOrThrow(peer, 'verify')
  expect(verify.pullRequest).toMatch(/^cd \S+ && gh pr comment --body-file verify\.md$/)
  const compare = await callOrThrow(peer, 'compare', { base: before?.url, current: now?.url, flow: ['/'] })
  expect(compare.pullRequest).toMatch(
    /^cd \S+ && gh pr comment --body-file compare\.md --attach step-1-base\.png --attach step-1-current\.png$/,
  )
  await callOrThrow(peer, 'video', { action: 'start' })
  await callOrThrow(peer, 'click', { selector: 'h1' })
  const video = await callOrThrow(peer, 'video', { action: 'stop' })
  expect(video.pullRequest).toMatch(/^cd \S+ && gh pr comment --attach video\.webm$/)
  expect(calls()).toEqual(['gh --version'])
  await close()
}, 180_000)

test.each<[string, Setup, RegExp | undefined, string[]]>([
  [
    'an older gh',
    { remote: 'git@github.com:a/b.git', gh: 'gh version 2.40.1 (2023-12-13)' },
    /gh pr comment --body-file report\.md$/,
    ['gh --version'],
  ],
  [
    'glab',
    { remote: 'https://gitlab.com/a/b.git', gh: 'gh version 2.99.0', glab: 'glab 1.60.0 (abc)' },
    /glab mr note --message "\$\(cat report\.md\)"$/,
    ['glab --version'],
  ],
  ['no program', { remote: 'https://github.com/a/b.git' }, /^\S+\/report\.md$/, ['gh --version']],
  [
    'a program that does not answer',
    { remote: 'https://github.com/a/b.git', gh: HANGS },
    /^\S+\/report\.md$/,
    ['gh --version'],
  ],
  [
    'another host',
    { remote: 'https://codeberg.org/a/b.git', gh: 'gh version 2.99.0' },
    /^\S+\/report\.md$/,
    [],
  ],
  ['no remote', { gh: 'gh version 2.99.0' }, undefined, []],
  [
    'a server that may start certain programs only',
    {
      remote: 'https://github.com/a/b.git',
      gh: 'gh version 2.99.0',
      args: ['--server-command', '/bin/true'],
    },
    /^\S+\/report\.md$/,
    [],
  ],
])(
  'with %s',
  async (_, setup, pattern, expectedCalls) => {
    const { peer, calls, close } = await open(setup)
    const line = await lineOfReport(peer, (text) => (pattern ? pattern.test(text) : text === ''))
    if (pattern) expect(line).toMatch(pattern)
    else expect(line).toBe('')
    expect(calls()).toEqual(expectedCalls)
    await close()
  },
  120_000,
)
