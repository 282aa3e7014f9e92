// `footlight call`: tools from the shell. Several calls share one server, and so one session.

import process from 'node:process'
import type { Client } from '@modelcontextprotocol/client'
import { printAnswer, type OutputOptions } from './call-output.ts'
import { allToolNames } from './find-tool.ts'
import {
  connectClient,
  createHttpTransport,
  createOwnServerTransport,
  describeNoServer,
} from './own-client.ts'
import { parseCalls, type ToolCall } from './parse-calls.ts'
import { createProgressLine } from './progress-line.ts'
import { commandOf } from '../commands.ts'
import { toCamelCase, type Flags } from '../options/flags.ts'
import { findOptionConflict } from '../options/option-conflicts.ts'
import { optionNames } from '../options/options.ts'
import { printMessage } from '../output.ts'
import { parseSettings } from '../parse-settings.ts'
import { optionsIn, readArgs } from '../read-args.ts'
import { VERSION } from '../version.ts'
import { createToolNames, type ToolNames } from '../../mcp/calls/tool-names.ts'
import { createFiles } from '../../runtime/files/session-files.ts'
import { everyTool } from '../../tools/catalogue.ts'

/** Runs the calls of a command line, one after the other, until one fails. Answers the exit code: 2 if nothing was run because of a mistake. */
export async function runCall(rawArgs: readonly string[]): Promise<number> {
  const flags = readArgs(commandOf('call'), rawArgs, Infinity)
  if (!flags.ok) return fail(describeFieldOption(rawArgs) ?? flags.error, 2)
  const { values, rest } = flags.value
  const server = values.get('server')
  if (server !== undefined && !/^https?:\/\/[^/]/.test(server))
    return fail(`call: --server: expected a URL such as http://127.0.0.1:3000/mcp, received ${server}`, 2)
  const raw = optionsIn(flags.value)
  const { settings, tools } = parseSettings(raw)
  const output: OutputOptions = {
    isText: isTextWanted(flags.value),
    folder: createFiles(settings.outputDir).folder('call'),
    isOwnServer: server === undefined,
  }
  if (server !== undefined) return callServer(new URL(server), rest, output)
  const calls = parseCalls(rest, createToolNames(tools, settings.names))
  if (!calls.ok) return fail(calls.error, 2)
  const conflict = findOptionConflict({ ...settings, transport: 'stdio' })
  if (conflict !== undefined) return fail(conflict, 2)
  const transport = createOwnServerTransport([...raw, '--implicit-session'])
  const client = await connectClient(transport).catch((error: Error) => error)
  if (client instanceof Error) return fail(`call: the server failed to start (${client.message})`)
  return runCalls(client, calls.value, output)
}

// --- internal ---

async function callServer(url: URL, words: readonly string[], output: OutputOptions): Promise<number> {
  const client = await connectClient(createHttpTransport(url)).catch((error: Error) => error)
  if (client instanceof Error) return fail(`call: ${describeNoServer(url, client)}`)
  const calls = parseCalls(words, knownNamesOf(client))
  if (calls.ok) return runCalls(client, calls.value, output)
  await client.close()
  return fail(calls.error, 2)
}

/** The tools of a running server, if it is this program in this version. */
function knownNamesOf(client: Client): ToolNames | undefined {
  const { name, version } = client.getServerVersion() ?? {}
  return name === 'footlight' && version === VERSION ? allToolNames : undefined
}

async function runCalls(client: Client, calls: readonly ToolCall[], output: OutputOptions): Promise<number> {
  try {
    for (const { tool, input } of calls) {
      const progress = createProgressLine(process.stderr, () => performance.now())
      const onprogress = ({ message = '' }: { message?: string | undefined }) => progress.show(message)
      const options = { onprogress, timeout: 600_000, resetTimeoutOnProgress: true }
      const result = await client
        .callTool({ name: tool, arguments: input }, options)
        .catch((error: Error) => error)
      progress.clear()
      if (result instanceof Error) return fail(`call: ${tool}: ${result.message}`)
      if (await printAnswer(result, input, output)) return 1
    }
    return 0
  } finally {
    await client.close()
  }
}

function isTextWanted({ values }: Flags): boolean {
  const [json, text] = ['json', 'text'].map((name) => values.get(name))
  if (json !== undefined) return json === 'false'
  return text === undefined ? process.stdout.isTTY : text === 'true'
}

/** What to write instead of the input of a tool as an option; undefined if there is none. */
function describeFieldOption(rawArgs: readonly string[]): string | undefined {
  const fields = new Set(everyTool.flatMap(({ input }) => Object.keys(input.entries)))
  const known = [...optionNames, ...Object.keys(commandOf('call').args)]
  const field = rawArgs
    .map((arg) => toCamelCase(/^--([\w-]+)/.exec(arg)?.[1] ?? ''))
    .find((name) => fields.has(name) && !known.includes(name))
  if (field === undefined) return undefined
  return `call: --${field} is no option. Write ${field}=… after the name of the tool; --server URL calls a running server`
}

function fail(message: string, exitCode: 1 | 2 = 1): number {
  printMessage(message)
  return exitCode
}
