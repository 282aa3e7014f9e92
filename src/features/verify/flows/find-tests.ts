// The files of a work tree with tests for Playwright.

import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { map } from '../../../core/base/result.ts'
import { findOutputDenial } from '../../../core/devserver/process/allowed-programs.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { readTreeFile } from '../change/read-change.ts'

const TEST_FILE_LIMIT = 500

/** Paths relative to the top, of what git knows and does not ignore. Pages choose what is in the output folder. */
export async function findTestFiles(
  git: RunGit,
  top: string,
  outputFolder: string,
): Promise<Outcome<readonly string[]>> {
  const listed = await git(top, ['ls-files', '--cached', '--others', '--exclude-standard', '-z'])
  return map(listed, (text) =>
    text
      .split('\0')
      .filter((path) => TEST_FILE.test(path) && !findOutputDenial(join(top, path), outputFolder))
      .slice(0, TEST_FILE_LIMIT)
      .filter((path) => PLAYWRIGHT.test(readTreeFile(top, path) ?? '')),
  )
}

// --- internal ---

const TEST_FILE = /[._-](test|spec)\.[cm]?[jt]sx?$/
const PLAYWRIGHT = /['"](@playwright\/test|playwright\/test)['"]/
