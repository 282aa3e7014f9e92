// The command line. citty finds the command; what it would accept silently is checked before it sees it.

import process from 'node:process'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { defineCommand, runCommand } from 'citty'
import { RELAY_COMMAND } from '../../features/attach/relay-lines.ts'
import { RELEASE_COMMAND, type RemoteRelease } from '../../features/remote/remote-release.ts'
import { joinCommand } from '../../features/setup/quote-command.ts'
import { SHELL_SERVER_COMMAND, type ShellServerStart } from '../../features/shell/start-server.ts'
import { findClosestName } from '../base/text/closest-name.ts'
import { SUPERVISOR_COMMAND } from '../devserver/dev-server.ts'
import { commandOf, switches } from './commands/commands.ts'
import { optionsIn, parseSettings, readArgs } from './commands/parse-settings.ts'
import { type CommandName, commandNames, type InnerName, isCommandName } from './options/command-names.ts'
import { type Flags, readFlags } from './options/flags.ts'
import { findProxyConflict } from './options/option-conflicts.ts'
import { optionNames } from './options/options.ts'
import { VERSION } from './options/version.ts'
import { exitWhenOutputCloses, exitWithUsageError, printLine, printSentences } from './terminal/output.ts'

type Run = (rawArgs: readonly string[]) => Promise<unknown>

/** Commands that Footlight itself starts. */
const innerRuns: Readonly<Record<InnerName, Run>> = {
  async serve(rawArgs) {
    refuseOptionsBeforeCommand(rawArgs)
    const { settings, tools } = parseSettings(rawArgs)
    const { serve } = await import('./serve/serve.ts')
    await serve(settings, tools)
  },
  // What answers the shell; its first argument is where.
  async [SHELL_SERVER_COMMAND]([start = '', ...rawArgs]) {
    const { settings } = parseSettings(['--headless', ...rawArgs])
    const { serve } = await import('./serve/serve.ts')
    const { everyTool } = await import('./tools/catalogue.ts')
    await serve(settings, everyTool, JSON.parse(start) as ShellServerStart)
  },
  // What `demo` starts as its dev server.
  async 'demo-app'() {
    const { serveDemoApp } = await import('../../features/call/demo-app.ts')
    serveDemoApp()
  },
  // What holds the connection to the user's own browser.
  async [RELAY_COMMAND]() {
    const { runRelay } = await import('../../features/attach/run-relay.ts')
    await runRelay(process.stdin, process.stdout)
    process.exit(0)
  },
  // What releases what a killed Footlight holds on other machines.
  async [RELEASE_COMMAND]() {
    const { releaseRemote } = await import('../../features/remote/release-remote.ts')
    await releaseRemote(JSON.parse(await text(process.stdin)) as RemoteRelease)
    process.exit(0)
  },
  // What holds a dev server and its processes on Windows.
  async [SUPERVISOR_COMMAND]() {
    const { superviseServer } = await import('../devserver/process/supervisor.ts')
    process.exit(await superviseServer(process.stdin))
  },
}

const runs: Readonly<Record<CommandName, Run>> = {
  async setup(rawArgs) {
    const { parseSetupRequest } = await import('../../features/setup/setup-request.ts')
    const request = parseSetupRequest(rawArgs)
    if (!request.ok) return exitWithUsageError(request.error)
    parseSettings(request.value.options)
    const { runSetup } = await import('../../features/setup/setup-command.ts')
    process.exitCode = runSetup(request.value)
  },
  async skill() {
    const { SKILL } = await import('../../features/setup/skill-text.ts')
    printLine(SKILL.trimEnd())
  },
  async doctor(rawArgs) {
    const { runDoctor } = await import('../../features/doctor/doctor-command.ts')
    process.exitCode = await runDoctor(rawArgs)
  },
  async browsers(rawArgs) {
    const { runBrowsersCommand } = await import('../../features/browsers/browsers-command.ts')
    process.exitCode = await runBrowsersCommand(rawArgs)
  },
  async demo(rawArgs) {
    const { options } = readOwnArgs('demo', rawArgs)
    const { settings } = parseSettings(options)
    const { runDemo } = await import('../../features/call/demo.ts')
    process.exitCode = await runDemo(settings, options)
  },
  async call(rawArgs) {
    const { runCall } = await import('../../features/call/call-command.ts')
    process.exitCode = await runCall(rawArgs)
  },
  async daemon(rawArgs) {
    const { values, rest } = readOwnArgs('daemon', rawArgs)
    const [action = 'list'] = rest
    if (action !== 'list' && action !== 'stop')
      return exitWithUsageError(`daemon: expected list or stop, received "${action}"`)
    const { runDaemonCommand } = await import('../../features/shell/daemon-command.ts')
    const [isAll, isJson] = ['all', 'json'].map((name) => values.get(name) === 'true')
    process.exitCode = await runDaemonCommand({ action, isAll: isAll === true, isJson: isJson === true })
  },
  async view(rawArgs) {
    readOwnArgs('view', rawArgs)
    const { runShellClient } = await import('../../features/shell/run-client.ts')
    await runShellClient(['view', ...rawArgs])
  },
  async tools(rawArgs) {
    const { values, rest, options } = readOwnArgs('tools', rawArgs)
    const format = ['json', 'markdown'].find((name) => values.get(name) === 'true') ?? 'text'
    const { settings, tools } = parseSettings(options)
    const { printTools } = await import('../../features/call/print-tools.ts')
    printTools(tools, settings, format, rest[0])
  },
  async login(rawArgs) {
    const { values, rest, options } = readOwnArgs('login', rawArgs)
    const [url = ''] = rest
    const save = values.get('save') ?? ''
    if (!/^https?:/.test(url) || !URL.canParse(url))
      return exitWithUsageError('login: expected one address, e.g. login https://example.org --save example')
    const { settings } = parseSettings(options)
    if ((save === '') === (settings.profile === undefined))
      return exitWithUsageError('login: expected --save NAME or FILE, or --profile NAME')
    const conflict = findProxyConflict(settings)
    if (conflict !== undefined) return exitWithUsageError(conflict)
    const { runLogin } = await import('../../features/record/login-command.ts')
    process.exit(await runLogin({ url, save }, settings))
  },
  async record(rawArgs) {
    const { parseRecordRequest } = await import('../../features/record/record-request.ts')
    const request = parseRecordRequest(rawArgs, switches)
    if (!request.ok) return exitWithUsageError(request.error)
    const { settings } = parseSettings(request.value.options)
    const conflict = findProxyConflict(settings)
    if (conflict !== undefined) return exitWithUsageError(conflict)
    const { runRecord } = await import('../../features/record/record-command.ts')
    process.exit(await runRecord(request.value, settings))
  },
  async version(rawArgs) {
    if (readOwnArgs('version', rawArgs).values.get('json') !== 'true') return printLine(VERSION)
    const { readBuildInfo } = await import('./build-info.ts')
    printLine(JSON.stringify(readBuildInfo()))
  },
  help: (rawArgs) => showHelp(rawArgs),
}

const toCitty = (run: Run) => ({ run: ({ rawArgs }: { rawArgs: string[] }) => run(rawArgs) })

const rootCommand = defineCommand({
  meta: { name: 'footlight', version: VERSION },
  subCommands: Object.fromEntries([
    ...Object.entries(innerRuns).map(([name, run]) => [name, toCitty(run)]),
    ...commandNames.map((name) => [name, { args: commandOf(name).args, ...toCitty(runs[name]) }]),
  ]),
})

/** Runs the command line; `raw` is without the program's own name. */
export async function runMain(raw: readonly string[]): Promise<void> {
  const [first = ''] = raw
  const separator = raw.indexOf('--')
  const words = separator < 0 ? raw : raw.slice(0, separator)
  if (words.includes('--help') || words.includes('-h')) {
    const path = words.filter((word) => !word.startsWith('-'))
    return showHelp(first === 'help' ? path.slice(1) : await helpPathOf(path, first))
  }
  if (words.includes('--version') || words.includes('-v')) return printLine(VERSION)
  const isKnown = isCommandName(first) || Object.hasOwn(innerRuns, first)
  if (first !== '' && !first.startsWith('-') && !isKnown) return refuseUnknownCommand(raw)
  if (isCommandName(first)) exitWhenOutputCloses()
  try {
    await runCommand(rootCommand, { rawArgs: isKnown ? [...raw] : ['serve', ...raw] })
  } catch (error) {
    const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error))
    // The code of citty for an argument that is missing or not one of its choices.
    const isUsageError = error instanceof Error && 'code' in error && error.code === 'EARG'
    if (isUsageError && isCommandName(first)) return exitWithUsageError(describeUsageError(first, message))
    process.stderr.write(`footlight: ${message}\n`)
    process.exit(1)
  }
}

// --- internal ---

/** The words of the command or verb that `--help` stands in; none of a server. */
async function helpPathOf(path: readonly string[], first: string): Promise<readonly string[]> {
  if (isCommandName(first)) return path
  const { findVerb } = await import('../../features/shell/verbs.ts')
  // A verb may follow the name of its session.
  const verb = path.slice(0, 2).find((word) => findVerb(word))
  return verb === undefined ? [] : [verb]
}

/** The help of the command in `words`, which may be followed by anything. */
async function showHelp([name = '', subName = '']: readonly string[]): Promise<void> {
  const { commandHelp, mainHelp, optionsHelp, printHelp } = await import('./commands/help.ts')
  if (name === '') return printHelp(mainHelp)
  if (name === 'options') return printHelp(optionsHelp)
  if (name === 'agent') {
    const { AGENT_HELP } = await import('../../features/shell/agent-help.ts')
    return printSentences(AGENT_HELP)
  }
  const { findVerb } = await import('../../features/shell/verbs.ts')
  const verb = findVerb(name)
  if (verb) {
    const { verbHelp } = await import('../../features/shell/verb-help.ts')
    return printSentences(verbHelp(verb))
  }
  if (!isCommandName(name)) return refuseUnknownCommand([name])
  const { findTool } = await import('../../features/call/print-tools.ts')
  if (name === 'call' && findTool(subName)) return void (await runs.tools([subName]))
  const command = commandOf(name)
  return printHelp((width) => commandHelp(command.subCommands?.[subName] ?? command, width))
}

const COMPLETION_REMOVED =
  'completion was removed: footlight help lists the commands, and footlight VERB --help what one takes.'

async function refuseUnknownCommand([name = '', ...rest]: readonly string[]): Promise<never> {
  const { findTool } = await import('../../features/call/print-tools.ts')
  const { verbNames } = await import('../../features/shell/verbs.ts')
  const closest = findClosestName(name, [...commandNames, ...verbNames])
  if (name === 'completion') return exitWithUsageError(COMPLETION_REMOVED)
  const hint = findTool(name)
    ? `It is a tool: ${joinCommand(['footlight', 'call', name, ...rest], process.platform)}`
    : closest
      ? `Did you mean "${closest}"?`
      : 'footlight help lists the commands.'
  return exitWithUsageError(`unknown command "${name}". ${hint}`)
}

function refuseOptionsBeforeCommand(rawArgs: readonly string[]): void {
  const flags = readFlags(rawArgs, optionNames, switches)
  const [command = ''] = flags.ok ? flags.value.rest : []
  if (!isCommandName(command)) return
  const rest = rawArgs.filter((_, index) => index !== rawArgs.indexOf(command))
  const line = joinCommand(['footlight', command, ...rest], process.platform)
  exitWithUsageError(`options come after the command: ${line}`)
}

/** What citty says of an argument, with what it is for and how it looks. */
function describeUsageError(name: CommandName, message: string): string {
  const { args, examples } = commandOf(name)
  const [, missing = ''] = /^Missing required .*argument: (.*)$/.exec(message) ?? []
  const description = args[missing.toLowerCase().replace(/^--/, '')]?.description
  const problem =
    description === undefined ? message.replace(/\.$/, '') : `${missing} is missing (${description})`
  return `${name}: ${problem}. For example: ${examples[0]}`
}

/** The flags and words of a command, and the options of Footlight among them as they were given. */
function readOwnArgs(name: CommandName, rawArgs: readonly string[]): Flags & { options: readonly string[] } {
  const flags = readArgs(commandOf(name), rawArgs)
  return flags.ok ? { ...flags.value, options: optionsIn(flags.value) } : exitWithUsageError(flags.error)
}
