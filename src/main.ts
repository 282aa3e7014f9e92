import process from 'node:process'
import { isShellCommand, loadInnerCommand } from './core/cli/commands/commands.ts'

const args = process.argv.slice(2)

if (isShellCommand(args)) void loadInnerCommand('run-verb').then((shell) => shell?.run(args))
else
  void import('node:worker_threads').then(({ isMainThread }) =>
    isMainThread
      ? import('./core/cli/command-line.ts').then(({ runMain }) => runMain(args))
      : import('./core/cli/documents.ts').then(({ serveAllDocuments }) => serveAllDocuments()),
  )
