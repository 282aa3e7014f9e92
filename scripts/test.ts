// Runs all tests, several files at a time (`bun run test`). A file that fails runs once more, alone: some limits of the product, such as the
// second that evidence has, are missed on a machine that is too busy. What is red alone is red; what is green alone is named at the end.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const PARALLEL_FILES = 3
// A change that breaks something turns more files red than a busy machine does.
const REPEATED_FILES_LIMIT = 8

async function runTests(parameters: readonly string[]): Promise<number> {
  const command = [process.execPath, 'test', '--timeout', '120000', ...parameters]
  return Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'] }).exited
}

/** The files with failures in a JUnit report, and those that are not in it because they could not be loaded. */
function failedFiles(report: string, files: readonly string[]): readonly string[] {
  const suites = [...report.matchAll(/<testsuite [^>]*\bfile="([^"]+)"[^>]*\bfailures="(\d+)"/g)]
  const failed = new Set(suites.flatMap(([, file, failures]) => (failures === '0' ? [] : [file])))
  const reported = new Set(suites.map(([, file]) => file))
  return files.filter((file) => failed.has(file) || !reported.has(file))
}

const files = [...new Bun.Glob('test/**/*.test.ts').scanSync()].toSorted()
const folder = await mkdtemp(join(tmpdir(), 'footlight-report-'))
const reportFile = join(folder, 'report.xml')
const exitCode = await runTests([
  `--parallel=${PARALLEL_FILES}`,
  '--reporter=junit',
  `--reporter-outfile=${reportFile}`,
])
const report = await readFile(reportFile, 'utf8').catch(() => '')
await rm(folder, { recursive: true })
const failed = exitCode === 0 ? [] : failedFiles(report, files)
if (exitCode !== 0 && (failed.length === 0 || failed.length > REPEATED_FILES_LIMIT)) process.exit(exitCode)

const stillFailed: string[] = []
for (const file of failed) {
  console.log(`\nAgain, alone: ${file}`)
  if ((await runTests([file])) !== 0) stillFailed.push(file)
}
for (const file of failed)
  console.log(`${stillFailed.includes(file) ? 'Red twice' : 'Red beside other tests, green alone'}: ${file}`)
process.exit(stillFailed.length === 0 ? 0 : 1)
