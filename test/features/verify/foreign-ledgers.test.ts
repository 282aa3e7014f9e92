// Evidence that somebody else has put into the output folder, or that is from before, does not count, and is named.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { openWorkTree, type WorkTree } from './work-tree.ts'

let tree: WorkTree
beforeEach(() => {
  tree = openWorkTree()
  tree.edit()
})
afterEach(() => tree.close())

const verify = (...words: readonly string[]) => tree.run(['verify', ...words], { stdin: '' })
const wordOf = async (...words: readonly string[]) => /verify: (\w+)/.exec((await verify(...words)).out)?.[1]
const isRoot = process.getuid?.() === 0

test('the own ledger counts, and no line of it that was changed or is of another user', async () => {
  await tree.noteRun()
  expect(await wordOf()).toBe('PASS')
  const text = readFileSync(tree.ledgerPath, 'utf8')
  const forged: Record<string, string> = {
    'another call': text.replace('click', 'press'),
    'another time': text.replace(/"at":\d+/, '"at":1'),
    'no signature': text.replace(/^\S+ /gm, ''),
    'the signature of another line': text.replace(/^(\S+) .*/m, '$1 {}') + text.replace(/^\S+ /gm, 'x '),
    'a signature that is cut': text.replace(/^(\S{10})\S+ /gm, '$1 '),
    'an empty signature': text.replace(/^\S+ /gm, ' '),
  }
  for (const [name, forgery] of Object.entries(forged)) {
    writeFileSync(tree.ledgerPath, forgery)
    expect([name, await wordOf()]).toEqual([name, 'UNVERIFIED'])
    expect((await verify()).out).toMatch(/lines? of the ledger .*the key of this user/)
  }
  rmSync(tree.ledgerPath)
  await tree.noteRun(tree.top, Date.now(), join(tree.home, 'state of another user'))
  expect(await wordOf()).toBe('UNVERIFIED')
  expect((await verify()).out).toContain('1 line of the ledger')
}, 60_000)

test('a ledger that git tracks is no proof, also of this user, and says so', async () => {
  await tree.noteRun()
  expect(tree.git('add', '-f', '.footlight').status).toBe(0)
  for (const words of [[], ['--ci']]) {
    const { out } = await verify(...words)
    expect(out).toContain('verify: UNVERIFIED')
    expect(out).toMatch(/The ledger .*\.jsonl`? does not count: git tracks it\./)
  }
  tree.git('commit', '-qm', 'proof')
  expect(await wordOf('--base', 'HEAD~1')).toBe('UNVERIFIED')
  tree.git('rm', '-r', '--cached', '-q', '.footlight')
  expect(await wordOf()).toBe('PASS')
}, 60_000)

test('what is no file of this user alone is not read', async () => {
  await tree.noteRun()
  const kept = join(tree.home, 'kept.jsonl')
  cpSync(tree.ledgerPath, kept)
  const put: Record<string, () => void> = {
    'a link': () => symlinkSync(kept, tree.ledgerPath),
    'a hard link': () => linkSync(kept, tree.ledgerPath),
    'a file for all': () => (cpSync(kept, tree.ledgerPath), chmodSync(tree.ledgerPath, 0o666)),
    'a folder': () => mkdirSync(tree.ledgerPath),
    'a large file': () => (cpSync(kept, tree.ledgerPath), truncateSync(tree.ledgerPath, 2 ** 30)),
    ...(isRoot && {
      'a file of another user': () => (cpSync(kept, tree.ledgerPath), chownSync(tree.ledgerPath, 12_345, 1)),
    }),
  }
  for (const [name, replace] of Object.entries(put)) {
    rmSync(tree.ledgerPath, { recursive: true })
    replace()
    const { out } = await verify()
    expect([name, /verify: (\w+)/.exec(out)?.[1]]).toEqual([name, 'UNVERIFIED'])
    expect(out).toMatch(/The ledger .*\.jsonl does not count: it /)
  }
  rmSync(tree.ledgerPath, { recursive: true })
  cpSync(kept, tree.ledgerPath)
  expect(await wordOf()).toBe('PASS')
}, 60_000)

test('--ci counts this job alone', async () => {
  await tree.noteRun()
  const { out, code } = await verify('--ci')
  expect(code).toBe(5)
  expect(out).toMatch(/1 line of the ledger .* from before this job/)
  expect(await wordOf()).toBe('PASS')
})

test('verify.md is written over nothing that a link or a hard link leads to', async () => {
  const profile = join(tree.home, 'profile')
  const path = join(tree.top, '.footlight/verify/verify.md')
  mkdirSync(dirname(path), { recursive: true })
  for (const put of [() => symlinkSync(profile, path), () => linkSync(profile, path)]) {
    writeFileSync(profile, 'of the user')
    put()
    await verify('--ci')
    expect(readFileSync(profile, 'utf8')).toBe('of the user')
    expect(readFileSync(path, 'utf8')).toContain('## verify')
    rmSync(path)
  }
  expect(readdirSync(dirname(path))).toEqual([])
})

test('processes that write their first lines at the same time have one key, which is for its user alone', async () => {
  const stateFolder = join(tree.home, 'new state')
  const program = `import { openLedger } from ${JSON.stringify(join(import.meta.dir, '../../../src/features/verify/ledger/ledger-file.ts'))}
const [top, stateFolder, file] = process.argv.slice(-3)
await openLedger(top + '/.footlight', top, { stateFolder }).append([{ kind: 'error', at: 1, session: 's', file, content: 'c', line: 1, name: 'E', isBlank: false }])`
  const script = join(tree.home, 'write.ts')
  writeFileSync(script, program)
  const writers = Array.from({ length: 6 }, (_, index) =>
    spawn(process.execPath, [script, tree.top, stateFolder, `${index}.js`], { stdio: 'inherit' }),
  )
  await Promise.all(writers.map((writer) => once(writer, 'close')))
  const { openLedger } = await import('../../../src/features/verify/ledger/ledger-file.ts')
  const read = await openLedger(join(tree.top, '.footlight'), tree.top, { stateFolder }).read()
  expect(read.passedOver).toEqual([])
  expect(read.entries).toHaveLength(6)
  expect(readdirSync(stateFolder)).toEqual(['ledger-key'])
  expect(statSync(join(stateFolder, 'ledger-key')).mode & 0o777).toBe(0o600)
  // A key that lies in the work tree may have come with it.
  renameSync(stateFolder, join(tree.top, 'state'))
  const inTree = openLedger(join(tree.top, '.footlight'), tree.top, { stateFolder: join(tree.top, 'state') })
  expect((await inTree.read()).entries).toEqual([])
}, 60_000)
