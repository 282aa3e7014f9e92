import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) void import('./cli/command-line.ts').then(({ runMain }) => runMain(process.argv.slice(2)))
else void import('./cli/documents.ts').then(({ serveAllDocuments }) => serveAllDocuments())
