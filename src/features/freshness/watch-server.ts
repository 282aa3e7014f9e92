// The files of a server, from before its start, and what its processes do with them.

import { createRunGit } from '../../core/devserver/process/run-git.ts'
import type { ServerContext, ServerWatch } from '../../core/devserver/process/start-context.ts'
import { createFileIndex } from './file-index.ts'
import { createFileLister, findProjectRoot } from './list-files.ts'
import { createServerCodeReader } from './server-code.ts'

export function watchServer(folder: string, context: ServerContext): ServerWatch {
  const root = findProjectRoot(folder)
  // With the tag of the server, git would be one of its processes.
  const git = createRunGit({ ...context, tag: crypto.randomUUID() })
  const files = createFileIndex(folder, createFileLister(folder, root, git, context.isOutput))
  // What is changed from now on is a change.
  void files.look().catch(() => {})
  return { files: files.look, readCode: createServerCodeReader({ folder, root }) }
}
