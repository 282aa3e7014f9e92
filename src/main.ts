import process from 'node:process'
import { isShellCommand } from './cli/options/command-names.ts'

const args = process.argv.slice(2)

if (isShellCommand(args))
  void import('./cli/shell-client/run-client.ts').then(({ runShellClient }) => runShellClient(args))
else
  void import('node:worker_threads').then(({ isMainThread }) =>
    isMainThread
      ? import('./cli/command-line.ts').then(({ runMain }) => runMain(args))
      : import('./cli/documents.ts').then(({ serveAllDocuments }) => serveAllDocuments()),
  )
