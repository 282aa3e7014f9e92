// Ends an answer that wrote files for a pull request with the line that posts them.

import { basename, dirname, resolve } from 'node:path'
import process from 'node:process'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import type { ToolOutcome } from '../../../core/tool/tool-call.ts'
import type { ToolContext } from '../../../core/tool/tool.ts'
import { readCliVersion } from './cli-version.ts'
import { readRemoteHost } from './git-remote.ts'
import { hostKindOf, postLineOf } from './post-line.ts'

type Posted<T> = T & { readonly pullRequest?: string }

/** The data with `pullRequest`, where its file, Markdown or a video, is one of a repository with a remote. No program is asked for its version where
 * clients may start certain ones only, and none is waited for long. */
export async function addPostLine<T extends object>(
  outcome: ToolOutcome<T>,
  fileOf: (data: T) => string | undefined,
  { programLimits }: Pick<ToolContext, 'programLimits'>,
): Promise<ToolOutcome<{ readonly data: Posted<T> }>> {
  if (!outcome.ok) return outcome
  const path = fileOf(outcome.value)
  const line = path === undefined ? undefined : await findPostLine(resolve(path), programLimits === undefined)
  return {
    ...outcome,
    value: { data: { ...outcome.value, ...(line !== undefined && { pullRequest: line }) } },
  }
}

/** How it reads in an answer. */
export const pullRequestText = (line: string): readonly string[] => [`pull request: ${line}`]

// --- internal ---

const WAIT_MS = 200
const MARKDOWN_LIMIT_BYTES = 2_000_000

async function findPostLine(path: string, mayAsk: boolean): Promise<string | undefined> {
  const [folder, name] = [dirname(path), basename(path)]
  const ownHost = readRemoteHost(folder)
  const host = ownHost ?? readRemoteHost(process.cwd())
  if (host === undefined) return undefined
  const kind = hostKindOf(host)
  const answer = kind && mayAsk ? await settleWithin(WAIT_MS, readCliVersion(CLIS[kind])) : undefined
  const version = typeof answer === 'string' ? answer : undefined
  const facts = { host, version, isInside: ownHost !== undefined, isWindows: process.platform === 'win32' }
  const isMarkdown = name.endsWith('.md')
  const media = isMarkdown ? picturesOf(path) : [name]
  return postLineOf(facts, { folder, media, ...(isMarkdown && { markdown: name }) })
}

const CLIS = { github: 'gh', gitlab: 'glab' } as const

/** The files beside a Markdown file that it shows, each once. */
function picturesOf(path: string): readonly string[] {
  const text = readRegularFile(path, MARKDOWN_LIMIT_BYTES)?.toString('utf8') ?? ''
  const names = [...text.matchAll(/!\[[^\]]*\]\(([\w.-]+\.(?:png|jpe?g|gif|webp))\)/g)].map(
    ([, name = '']) => name,
  )
  return [...new Set(names)]
}
