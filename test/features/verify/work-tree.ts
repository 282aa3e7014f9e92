// A work tree with an edit, and a ledger as servers leave it.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { findStateFolder } from '../../../src/features/lib/state-folder.ts'
import type { LedgerEntry } from '../../../src/features/verify/ledger/entry.ts'
import { openLedger } from '../../../src/features/verify/ledger/ledger-file.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'
import { binary } from '../../support/client.ts'

const BEFORE = 'export function total() {\n  return 1\n}\n'
const AFTER = 'export function total() {\n  return 2\n}\n'

export interface CommandEnd {
  readonly out: string
  readonly err: string
  readonly code: number | null
  readonly ms: number
}

export function openWorkTree() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fl-verify-')))
  const top = join(home, 'tree')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  const git = (...words: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: top })
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: join(home, 'run') }
  mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 })
  write('src/total.ts', BEFORE)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  const stateFolder = findStateFolder({ env, platform: process.platform }, home)
  const append = (entries: readonly LedgerEntry[], folder = top, ownerFolder = stateFolder) =>
    openLedger(join(folder, '.footlight'), top, { stateFolder: ownerFolder }).append(entries)
  const common = { at: Date.now(), session: 's', file: 'src/total.ts', content: hashText(AFTER) }
  const runs = [{ firstLine: 1, lastLine: 3, ran: [1, 2], partly: [], notRun: [] }]
  return {
    home,
    top,
    write,
    git,
    edit: () => write('src/total.ts', AFTER),
    /** All that the edit changed has run. */
    noteRun: (folder?: string, at = Date.now(), ownerFolder?: string) =>
      append(
        [
          {
            kind: 'run',
            ...{ ...common, at },
            call: 'click "Add"',
            functions: functionEntriesOf(runs, AFTER, common.file),
          },
        ],
        ...[folder, ownerFolder],
      ),
    noteError: (at = Date.now()) =>
      append([{ kind: 'error', ...common, at, line: 2, name: 'TypeError', isBlank: false }]),
    ledgerPath: openLedger(join(top, '.footlight'), top).path,
    /** A program named git that does something else. */
    replaceGit(script: string): string {
      const folder = join(home, 'bin')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return `${folder}:${process.env['PATH']}`
    },
    run: (
      words: readonly string[],
      changes: { cwd?: string; stdin?: string | undefined; env?: Record<string, string> } = {},
    ) => runCommand(words, { cwd: top, ...changes, env: { ...env, ...changes.env } }),
    readQuestions: () =>
      readFileSync(join(top, '.footlight/verify/questions.txt'), 'utf8').trim().split('\n'),
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

export type WorkTree = ReturnType<typeof openWorkTree>

/** Without `stdin` the input stays open. */
function runCommand(
  words: readonly string[],
  { stdin, cwd, env }: { cwd: string; stdin?: string | undefined; env: Record<string, string | undefined> },
): Promise<CommandEnd> {
  const start = performance.now()
  const child = spawn(binary, words, { cwd, env })
  child.stdin.on('error', () => {})
  if (stdin !== undefined) child.stdin.end(stdin)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ out, err, code, ms: performance.now() - start }))
  })
}
