import { expect, test } from 'bun:test'
import { remoteHostOf } from '../../../src/features/lib/pull-request/git-remote.ts'
import {
  type PostedFiles,
  type PostFacts,
  postLineOf,
} from '../../../src/features/lib/pull-request/post-line.ts'

const files: PostedFiles = {
  folder: '/app/.footlight/a b',
  markdown: 'compare.md',
  media: ['1-base.png', '1-now.png'],
}
const video: PostedFiles = { folder: '/app/out', media: ['video.webm'] }
const facts = { host: 'github.com', version: '2.99.0', isInside: true, isWindows: false } satisfies PostFacts
const attached = '--attach 1-base.png --attach 1-now.png'
const ABSOLUTE = '/app/.footlight/a b/compare.md'

test.each<[string, Partial<PostFacts>, PostedFiles, string | undefined]>([
  ['a new gh', {}, files, `cd '/app/.footlight/a b' && gh pr comment --body-file compare.md ${attached}`],
  [
    'the next one',
    { version: '3.0.1' },
    files,
    `cd '/app/.footlight/a b' && gh pr comment --body-file compare.md ${attached}`,
  ],
  [
    'an older gh',
    { version: '2.98.9' },
    files,
    "cd '/app/.footlight/a b' && gh pr comment --body-file compare.md",
  ],
  [
    'a server of the company',
    { host: 'github.acme.com' },
    files,
    "cd '/app/.footlight/a b' && gh pr comment --body-file compare.md",
  ],
  [
    'a tenant of GitHub',
    { host: 'acme.ghe.com' },
    files,
    `cd '/app/.footlight/a b' && gh pr comment --body-file compare.md ${attached}`,
  ],
  ['no gh', { version: undefined }, files, ABSOLUTE],
  [
    'files elsewhere',
    { isInside: false, version: '2.1.0' },
    files,
    `gh pr comment --body-file '${ABSOLUTE}'`,
  ],
  [
    'GitLab',
    { host: 'gitlab.com', version: '1.60.0' },
    files,
    `cd '/app/.footlight/a b' && glab mr note --message "$(cat compare.md)"`,
  ],
  ['an own GitLab without glab', { host: 'gitlab.acme.com', version: undefined }, files, ABSOLUTE],
  ['another host', { host: 'bitbucket.org', version: '2.99.0' }, files, ABSOLUTE],
  [
    'a name that only looks like it',
    { host: 'github.com.evil.org' },
    files,
    "cd '/app/.footlight/a b' && gh pr comment --body-file compare.md",
  ],
  ['a video', {}, video, 'cd /app/out && gh pr comment --attach video.webm'],
  ['a video and an older gh', { version: '2.60.0' }, video, undefined],
  ['a video on GitLab', { host: 'gitlab.com' }, video, undefined],
  [
    'Windows',
    { isWindows: true },
    { ...files, folder: String.raw`C:\my app\out` },
    String.raw`cd "C:\my app\out" && gh pr comment --body-file compare.md ${attached}`,
  ],
  [
    'a name that PowerShell would run, on Windows',
    { isWindows: true },
    { ...files, folder: String.raw`C:\$(calc)` },
    String.raw`C:\$(calc)\compare.md`,
  ],
  [
    'a quote in a name',
    {},
    { ...files, folder: "/it's", media: [] },
    String.raw`cd '/it'\''s' && gh pr comment --body-file compare.md`,
  ],
])('%s', (_, more, posted, line) => {
  expect(postLineOf({ ...facts, ...more }, posted)).toBe(line)
})

const remote = (name: string, url: string) => `[remote "${name}"]\n\turl = ${url}\n\tfetch = +refs/heads/*\n`

test.each([
  [remote('origin', 'https://github.com/a/b.git'), 'github.com'],
  [remote('origin', 'git@GitHub.com:a/b.git'), 'github.com'],
  [remote('origin', 'ssh://git@gitlab.acme.com:2222/a/b'), 'gitlab.acme.com'],
  [remote('origin', 'https://ada:token@gitlab.com/a/b'), 'gitlab.com'],
  [remote('fork', 'git@gitlab.com:a/b') + remote('origin', 'https://github.com/a/b'), 'github.com'],
  [remote('upstream', 'https://github.com/a/b'), 'github.com'],
  ['[branch "main"]\n\turl = https://github.com/a/b\n', undefined],
  [remote('origin', '/srv/git/b.git'), undefined],
  [remote('origin', String.raw`C:\git\b`), undefined],
  [remote('origin', 'file:///srv/git/b.git'), undefined],
  ['', undefined],
])('the host of the remote in %j', (config, host) => {
  expect(remoteHostOf(config)).toBe(host as string)
})
