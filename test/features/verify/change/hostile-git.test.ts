// What a repository names is not run, by any question to git: each of these would write a file if it ran, in the work tree, in a submodule and in a
// repository that git does not know.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRunGit } from '../../../../src/core/devserver/process/run-git.ts'
import { findOnPath } from '../../../../src/core/devserver/process/spawn-command.ts'
import { checkOut } from '../../../../src/features/compare/revisions/check-out.ts'
import { createFileLister } from '../../../../src/features/freshness/list-files.ts'
import { readChanges } from '../../../../src/features/lib/changes/read-changes.ts'
import { createChangedPaths } from '../../../../src/features/verify/change/changed-paths.ts'
import { findTestFiles } from '../../../../src/features/verify/flows/find-tests.ts'
import { gitEnvironment, openRepository, type Repository } from './repository.ts'

let repository: Repository
let command: string
let marker: string
const INSIDE = ['', 'lib/', 'nested/', 'ignored/']

beforeAll(() => {
  repository = openRepository({ 'a.js': 'one()\n', 'b.png': 'x\0y', '.gitignore': 'ignored/\n' })
  const { home, top, git, gitIn, write, begin, commit } = repository
  marker = join(home, 'ran')
  command = join(home, 'command.sh')
  writeFileSync(command, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`)
  chmodSync(command, 0o755)
  const library = join(home, 'library')
  begin(library)
  writeFileSync(join(library, 'a.js'), 'one()\n')
  commit(library)
  gitIn(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${library}`, 'lib')
  write('.gitattributes', '* filter=evil diff=evil merge=evil ident text\n')
  for (const inside of ['nested/', 'ignored/']) {
    begin(join(top, inside))
    write(`${inside}a.js`, 'one()\n')
    write(`${inside}.gitattributes`, '* filter=evil diff=evil\n')
    commit(join(top, inside))
  }
  writeFileSync(join(top, 'lib/.gitattributes'), '* filter=evil diff=evil\n')
  commit(join(top, 'lib'))
  git('add', '.gitattributes', '.gitmodules', 'lib')
  git('commit', '--quiet', '--message=attributes')
  git('branch', 'feature')
})
afterAll(() => repository.close())

/** All that is asked anywhere, about edited files. */
async function askAll(): Promise<void> {
  const { home, top, write, read, readOutcome } = repository
  const git = createRunGit({ parentEnv: gitEnvironment })
  for (const inside of INSIDE) write(`${inside}a.js`, `two(${Math.random()})\n`)
  write('b.png', 'x\0z')
  // As large as before, and older: git looks into it.
  utimesSync(join(top, 'b.png'), 1, 1)
  const { files } = await read()
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(INSIDE.map((inside) => `${inside}a.js`)),
  )
  await readOutcome(top, 'HEAD')
  await readChanges(top, 'HEAD', git)
  await createChangedPaths(
    () => git,
    async () => undefined,
  )(top).ready
  await findTestFiles(git, top, join(home, 'out'))
  await createFileLister(top, top, git).list()
  const folder = join(home, 'ours')
  mkdirSync(folder, { recursive: true })
  const ignore = () => {}
  const watchdog = { guard: ignore, release: ignore, guardSocket: ignore, guardFolder: async () => {} }
  const context = {
    run: 'r',
    tag: 't',
    folder,
    parentEnv: gitEnvironment,
    watchdog,
    findFreePort: async () => 1,
  }
  const checkout = await checkOut(top, undefined, context, new AbortController().signal)
  if (checkout.ok) await checkout.value.remove()
}

const HOOKS = [
  'post-index-change',
  'post-checkout',
  'reference-transaction',
  'fsmonitor-watchman',
  'pre-auto-gc',
]

const SETTINGS: readonly (readonly [string, (command: string) => Readonly<Record<string, string>>])[] = [
  ['a filter that cleans', (run) => ({ 'filter.evil.clean': run })],
  [
    'a filter that smudges, and is required',
    (run) => ({ 'filter.evil.smudge': run, 'filter.evil.required': 'true' }),
  ],
  ['a filter process', (run) => ({ 'filter.evil.process': run })],
  ['an external difference', (run) => ({ 'diff.external': run })],
  ['a driver of differences', (run) => ({ 'diff.evil.command': run, 'diff.evil.trustExitCode': 'true' })],
  ['a text of a driver', (run) => ({ 'diff.evil.textconv': run, 'diff.evil.cachetextconv': 'true' })],
  ['a monitor', (run) => ({ 'core.fsmonitor': run })],
  ['a monitor of version 1', (run) => ({ 'core.fsmonitor': run, 'core.fsmonitorHookVersion': '1' })],
  ['hooks elsewhere', () => ({ 'core.hooksPath': 'hooks' })],
  ['hooks of the configuration', (run) => ({ 'hook.evil.command': run, 'hook.evil.event': 'post-checkout' })],
  [
    'a pager',
    (run) => ({ 'core.pager': run, 'pager.diff': run, 'pager.diff-index': run, 'pager.ls-files': run }),
  ],
  [
    'a pager of configuration',
    (run) => ({ 'pager.config': run, 'pager.rev-parse': run, 'pager.reflog': run }),
  ],
  ['a shell for remotes', (run) => ({ 'core.sshCommand': run, 'core.gitProxy': run, 'core.askPass': run })],
  ['alternates', (run) => ({ 'core.alternateRefsCommand': run })],
  ['a helper for credentials', (run) => ({ 'credential.helper': `!${run}` })],
  [
    'a program that signs',
    (run) => ({ 'gpg.program': run, 'log.showSignature': 'true', 'commit.gpgSign': 'true' }),
  ],
  ['a driver of merges', (run) => ({ 'merge.evil.driver': `${run} %O %A %B`, 'merge.tool': 'evil' })],
  [
    'other names of commands',
    (run) => ({ 'alias.diff-index': `!${run}`, 'alias.ls-files': `!${run}`, 'alias.x': `!${run}` }),
  ],
  [
    'an update of submodules',
    (run) => ({
      'submodule.lib.update': `!${run}`,
      'submodule.recurse': 'true',
      'status.submoduleSummary': 'true',
    }),
  ],
  [
    'differences within submodules',
    () => ({ 'diff.submodule': 'diff', 'diff.ignoreSubmodules': 'none', 'submodule.lib.ignore': 'none' }),
  ],
  ['an editor', (run) => ({ 'core.editor': run, 'sequence.editor': run, 'interactive.diffFilter': run })],
  ['a trailer', (run) => ({ 'trailer.evil.command': run, 'trailer.evil.cmd': run })],
  [
    'a remote that keeps objects',
    (run) => ({
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::${run}`,
      'protocol.ext.allow': 'always',
      'extensions.partialClone': 'origin',
    }),
  ],
]

const writeConfig = (
  folder: string,
  settings: Readonly<Record<string, string>>,
  ...where: readonly string[]
) => {
  for (const [key, value] of Object.entries(settings))
    repository.gitIn(folder, 'config', ...where, key, value)
}

/** Restores what a repository is configured with. */
function withConfigs<T>(run: () => Promise<T>): Promise<T> {
  const paths = INSIDE.map((inside) =>
    repository.gitIn(join(repository.top, inside), 'rev-parse', '--absolute-git-dir').trim(),
  )
  const kept = paths.map((path) => readFileSync(join(path, 'config')))
  return run().finally(() =>
    paths.forEach((path, index) => {
      writeFileSync(join(path, 'config'), kept[index] ?? '')
      for (const name of ['more', 'config.worktree', 'hooks'])
        rmSync(join(path, name), { recursive: true, force: true })
    }),
  )
}

async function expectNothingRan(): Promise<void> {
  await askAll()
  const ran = existsSync(marker) ? readFileSync(marker, 'utf8') : ''
  rmSync(marker, { force: true })
  expect(ran).toBe('')
}

test('the commands are ones that git runs', async () => {
  await withConfigs(async () => {
    writeConfig(join(repository.top, 'lib'), { 'filter.evil.clean': command })
    repository.write('lib/a.js', 'three()\n')
    repository.git('diff', 'HEAD')
    expect(readFileSync(marker, 'utf8')).toContain(command)
    rmSync(marker)
  })
})

test.each(SETTINGS)('%s', async (_, settingsOf) => {
  await withConfigs(async () => {
    for (const inside of INSIDE) writeConfig(join(repository.top, inside), settingsOf(command))
    await expectNothingRan()
  })
})

test('hooks in each folder that git looks into', async () => {
  await withConfigs(async () => {
    for (const inside of INSIDE) {
      const folder = join(repository.top, inside)
      const own = repository.gitIn(folder, 'rev-parse', '--absolute-git-dir').trim()
      for (const path of [join(own, 'hooks'), join(folder, 'hooks')]) {
        mkdirSync(path, { recursive: true })
        for (const hook of HOOKS)
          writeFileSync(join(path, hook), `#!/bin/sh\n${command} < /dev/null\n`, { mode: 0o755 })
      }
      writeConfig(folder, { 'core.hooksPath': join(folder, 'hooks') })
    }
    await expectNothingRan()
    for (const inside of INSIDE) rmSync(join(repository.top, inside, 'hooks'), { recursive: true })
  })
})

test.each(['include.path', 'includeIf.gitdir:**.path', 'config.worktree'])(
  'settings by way of %s',
  async (way) => {
    await withConfigs(async () => {
      for (const inside of INSIDE) {
        const folder = join(repository.top, inside)
        const own = repository.gitIn(folder, 'rev-parse', '--absolute-git-dir').trim()
        const isWorktree = way === 'config.worktree'
        const file = join(own, isWorktree ? way : 'more')
        for (const settings of SETTINGS.slice(0, 8).map(([, settingsOf]) => settingsOf(command)))
          writeConfig(folder, settings, `--file=${file}`)
        writeConfig(folder, isWorktree ? { 'extensions.worktreeConfig': 'true' } : { [way]: 'more' })
      }
      await expectNothingRan()
    })
  },
)

test('a thousand filters, of any names', async () => {
  await withConfigs(async () => {
    const { top } = repository
    const names = Array.from({ length: 1000 }, (_, index) => `e${index}=Ü "x\\y].z`)
    const sections = [...names, 'evil'].map(
      (name) => `[filter "${name.replaceAll(/["\\]/g, '\\$&')}"]\n\tclean = ${command}\n`,
    )
    writeFileSync(join(top, '.git/config'), sections.join(''), { flag: 'a' })
    await expectNothingRan()
  })
})

test('variables of a git that is about something else', async () => {
  const { home, top, write } = repository
  write('a.js', 'four()\n')
  const parentEnv = {
    ...gitEnvironment,
    ...{ GIT_DIR: join(home, 'nothing'), GIT_INDEX_FILE: join(home, 'index'), GIT_EXTERNAL_DIFF: command },
    ...{
      GIT_SSH_COMMAND: command,
      GIT_PAGER: command,
      GIT_DIFF_OPTS: '--unified=9',
      GIT_ATTR_SOURCE: 'HEAD',
    },
  }
  const answer = await createRunGit({ parentEnv })(top, ['diff-index', '-p', 'HEAD', '--', 'a.js'])
  expect(answer).toMatchObject({ ok: true, value: expect.stringContaining('+four()') })
  expect(existsSync(marker)).toBe(false)
})

test('a program is found on PATH alone, in folders that are named as a whole', () => {
  const { home, top } = repository
  writeFileSync(join(top, 'git'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(home, 'git'), 'no program')
  mkdirSync(join(home, 'bin/git'), { recursive: true })
  const PATH = `:.:./:${home}:${join(home, 'bin')}:/usr/bin`
  expect(findOnPath('git', { PATH })).toBe('/usr/bin/git')
  expect(findOnPath('git', { PATH: '.:' })).toBeUndefined()
  expect(findOnPath('git', { Path: String.raw`.;C:tools;"C:\nothing"` }, 'win32')).toBeUndefined()
  rmSync(join(top, 'git'))
})
