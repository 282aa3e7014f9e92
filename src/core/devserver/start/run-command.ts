// Runs one command of the server contract: no shell, one JSON document on stdout, a timeout.

import type { ChildProcess } from 'node:child_process'
import * as v from 'valibot'
import type { ServerStartFailed } from '../../base/failure-records.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import { describeMovedProgram, type Program } from '../process/allowed-programs.ts'
import { identify, signalProcess } from '../process/process-table.ts'
import { spawnCommand } from '../process/spawn-command.ts'

export interface CommandRun {
  readonly path: string
  /** The allowed program, if programs are restricted. */
  readonly program?: Program | undefined
  readonly args: readonly string[]
  readonly timeout: number
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
}

export type CommandFailure = Omit<ServerStartFailed, 'code'>

const OUTPUT_LIMIT_BYTES = 1024 * 1024
/** How long to read after the exit: a child of the command may keep stdout open. */
const DRAIN_TIMEOUT_MS = 100

/** Runs the command and parses its document. */
export async function runCommand<T>(
  run: CommandRun,
  schema: v.GenericSchema<unknown, T>,
  signal: AbortSignal,
): Promise<Result<T, CommandFailure>> {
  const capture = await captureOutput(run, signal)
  if (!capture.ok) return capture
  const { text, ...output } = capture.value
  const document = parseDocument(text, schema)
  return document.ok
    ? document
    : err({
        ...output,
        reason: 'invalid_json',
        text: `${output.command} printed an invalid result: ${document.error}`,
      })
}

interface CommandOutput {
  readonly command: string
  /** All of stdout; `stdout` and `stderr` are the last lines. */
  readonly text: string
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
}

/** Runs the command until it exits, even if a descendant keeps its pipes open. */
export async function captureOutput(
  run: CommandRun,
  signal: AbortSignal,
): Promise<Result<CommandOutput, CommandFailure>> {
  const command = [run.path, ...run.args].join(' ')
  const movedProgram = describeMovedProgram(run.program)
  if (movedProgram !== undefined)
    return err({ command, reason: 'permission_denied', text: movedProgram, stdout: [], stderr: [] })
  const { program, cwd, env } = run
  const child = spawnCommand({ command: [run.path, ...run.args], program, cwd, env }, [
    'ignore',
    'pipe',
    'pipe',
  ])
  const leader = child.pid === undefined ? undefined : identify(child.pid)
  const readStdout = collectOutput(child.stdout)
  const readStderr = collectOutput(child.stderr)
  const end = await waitForEnd(child, run.timeout, signal)
  const output = { command, stdout: lastLinesOf(readStdout()), stderr: lastLinesOf(readStderr()) }
  // Descendants may still write to the pipes, and a closed pipe would end them.
  for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data').resume()
  if (end.type === 'error') return err({ ...output, ...describeSpawnError(end.error, run) })
  if (end.type === 'late') {
    if (leader) signalProcess(leader, 'SIGKILL', 'group')
    return err({
      ...output,
      reason: 'timeout',
      text: `${command} did not exit within ${run.timeout} ms`,
      waited: run.timeout,
    })
  }
  if (end.code !== 0) {
    const exit = {
      ...(end.code !== null && { exitCode: end.code }),
      ...(end.signal && { signal: end.signal }),
    }
    return err({
      ...output,
      ...exit,
      reason: 'non_zero_exit',
      text: `${command} exited with ${end.code ?? end.signal}`,
    })
  }
  return ok({ ...output, text: readStdout() })
}

export function describeSpawnError(
  error: NodeJS.ErrnoException,
  { path, cwd }: Pick<CommandRun, 'path' | 'cwd'>,
): Pick<CommandFailure, 'reason' | 'text'> {
  const folder = cwd === undefined ? '' : ` in ${cwd}`
  if (error.code === 'EACCES') return { reason: 'permission_denied', text: `${path} is not executable` }
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return { reason: 'command_not_found', text: `${path} was not found${folder}` }
  return { reason: 'command_not_found', text: `${path} could not be started${folder}: ${error.message}` }
}

/** The last lines of an output, without terminal codes. */
export const lastLinesOf = (text: string, count = 50): string[] =>
  text
    .split('\n')
    .map((line) => stripTerminalCodes(line).trimEnd().slice(0, 1000))
    .filter(Boolean)
    .slice(-count)

// --- internal ---

type CommandEnd =
  | { type: 'exit'; code: number | null; signal: string | null }
  | { type: 'error'; error: NodeJS.ErrnoException }
  | { type: 'late' }

function waitForEnd(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const endLate = () => resolve({ type: 'late' })
    const timer = setTimeout(endLate, timeoutMs)
    signal.addEventListener('abort', endLate, { once: true })
    if (signal.aborted) endLate()
    const settle = (end: CommandEnd) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', endLate)
      resolve(end)
    }
    child.once('error', (error) => settle({ type: 'error', error }))
    child.once('exit', (code, name) => {
      const end: CommandEnd = { type: 'exit', code, signal: name }
      const drainTimer = setTimeout(() => settle(end), DRAIN_TIMEOUT_MS)
      child.once('close', () => {
        clearTimeout(drainTimer)
        settle(end)
      })
    })
  })
}

function collectOutput(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= OUTPUT_LIMIT_BYTES) chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

function parseDocument<T>(text: string, schema: v.GenericSchema<unknown, T>): Result<T, string> {
  if (text.trim() === '') return err('stdout was empty')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return err(`stdout is not one JSON document (${error instanceof Error ? error.message : String(error)})`)
  }
  const parseResult = v.safeParse(schema, document)
  if (parseResult.success) return ok(parseResult.output)
  const [issue] = parseResult.issues
  return err(`${v.getDotPath(issue) ?? 'the document'}: ${issue.message}`)
}
