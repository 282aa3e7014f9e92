// The command line. citty finds the command; what it would accept silently is checked before it sees it.

import process from 'node:process'
import { defineCommand, runCommand } from 'citty'
import { exitWhenOutputCloses, exitWithUsageError, printLine } from './output.ts'
import { commandNames, commands, switches } from './commands.ts'
import { readFlags } from './options/flags.ts'
import { helpText } from './options/help.ts'
import { findProxyConflict } from './options/option-conflicts.ts'
import { optionNames, type Settings } from './options/options.ts'
import { parseSettings } from './parse-settings.ts'
import { VERSION } from './version.ts'
import { RELAY_COMMAND } from '../core/attach/relay-lines.ts'
import { findClosestName } from '../core/text/closest-name.ts'

const hidden = ['serve', 'demo-app', RELAY_COMMAND]

const command = defineCommand({
  meta: { name: 'footlight', version: VERSION },
  subCommands: {
    serve: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings, tools } = parseSettings(rawArgs)
        const { serve } = await import('./serve/serve.ts')
        await serve(settings, tools)
      },
    }),
    demo: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings } = parseSettings(rawArgs)
        const { runDemo } = await import('./client/demo.ts')
        process.exitCode = await runDemo(settings, rawArgs)
      },
    }),
    // What `demo` starts as its dev server.
    'demo-app': defineCommand({
      run: async () => {
        const { serveDemoApp } = await import('./client/demo-app.ts')
        serveDemoApp()
      },
    }),
    // What holds the connection to the user's own browser.
    [RELAY_COMMAND]: defineCommand({
      run: async () => {
        const { runRelay } = await import('../runtime/attach/run-relay.ts')
        await runRelay(process.stdin, process.stdout)
        process.exit(0)
      },
    }),
    doctor: defineCommand({
      run: async ({ rawArgs }) => {
        const { runDoctor } = await import('./doctor/doctor-command.ts')
        process.exitCode = await runDoctor(rawArgs)
      },
    }),
    browsers: defineCommand({
      run: async ({ rawArgs }) => {
        const { runBrowsersCommand } = await import('./browsers/browsers-command.ts')
        process.exitCode = await runBrowsersCommand(rawArgs)
      },
    }),
    tools: defineCommand({
      run: async ({ rawArgs }) => {
        const format = ['json', 'markdown'].find((name) => rawArgs.includes(`--${name}`)) ?? 'text'
        const { settings, tools } = parseSettings(rawArgs.filter((arg) => arg !== `--${format}`))
        const { printTools } = await import('./print-tools.ts')
        await printTools(tools, settings, format)
      },
    }),
    call: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings, rest, raw, url } = parseCallArguments(rawArgs)
        const { parseSteps, runSteps } = await import('./client/call-tools.ts')
        const steps = parseSteps(rest)
        process.exitCode = steps.ok
          ? await runSteps(steps.value, raw, url, settings.outputDir)
          : exitWithUsageError(steps.error)
      },
    }),
    login: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings, request } = parseLoginArguments(rawArgs)
        const conflict = findProxyConflict(settings)
        if (conflict !== undefined) return exitWithUsageError(conflict)
        const { runLogin } = await import('./login/login-command.ts')
        process.exit(await runLogin(request, settings))
      },
    }),
    record: defineCommand({
      run: async ({ rawArgs }) => {
        const { parseRecordRequest } = await import('./record/record-request.ts')
        const request = parseRecordRequest(rawArgs, switches)
        if (!request.ok) return exitWithUsageError(request.error)
        const { settings } = parseSettings(request.value.options)
        const conflict = findProxyConflict(settings)
        if (conflict !== undefined) return exitWithUsageError(conflict)
        const { runRecord } = await import('./record/record-command.ts')
        process.exit(await runRecord(request.value, settings))
      },
    }),
    setup: defineCommand({
      run: async ({ rawArgs }) => {
        const { parseSetupRequest } = await import('./setup/setup-request.ts')
        const request = parseSetupRequest(rawArgs)
        if (!request.ok) return exitWithUsageError(request.error)
        parseSettings(request.value.options)
        const { runSetup } = await import('./setup/setup-command.ts')
        process.exitCode = runSetup(request.value)
      },
    }),
    completion: defineCommand({
      run: async ({ rawArgs }) => {
        const { completionScript } = await import('./completion/completion-script.ts')
        const script = completionScript(rawArgs)
        printLine(script.ok ? script.value.trimEnd() : exitWithUsageError(script.error))
      },
    }),
    version: defineCommand({
      run: async ({ rawArgs }) => {
        const [stray] = rawArgs.filter((arg) => arg !== '--json')
        if (stray !== undefined)
          return exitWithUsageError(`version: unexpected argument "${stray}". It takes only --json`)
        if (rawArgs.length === 0) return printLine(VERSION)
        const { readBuildInfo } = await import('./build-info.ts')
        printLine(JSON.stringify(readBuildInfo(), null, 2))
      },
    }),
  },
})

/** Runs the command line; `raw` is without the program's own name. */
export async function runMain(raw: readonly string[]): Promise<void> {
  const [first = ''] = raw
  if (raw.includes('--help') || raw.includes('-h'))
    return void process.stdout.write(helpText(VERSION, commands))
  if (raw.includes('--version') || raw.includes('-v')) return printLine(VERSION)
  if (first !== '' && !first.startsWith('-') && !Object.hasOwn(commands, first) && !hidden.includes(first)) {
    const closest = findClosestName(first, commandNames)
    exitWithUsageError(
      `unknown command "${first}". ${closest ? `Did you mean "${closest}"?` : 'footlight --help lists them.'}`,
    )
  }
  const isCommand = Object.hasOwn(commands, first) || hidden.includes(first)
  if (Object.hasOwn(commands, first)) exitWhenOutputCloses()
  try {
    await runCommand(command, { rawArgs: isCommand ? [...raw] : ['serve', ...raw] })
  } catch (error) {
    process.stderr.write(`footlight: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

// `login` takes an address beside the options, and one option more.
function parseLoginArguments(rawArgs: readonly string[]): {
  settings: Settings
  request: { url: string; save: string }
} {
  const flags = readFlags(rawArgs, [...optionNames, 'save'], switches)
  if (!flags.ok) return exitWithUsageError(flags.error)
  const { values, rest } = flags.value
  const [url, stray] = rest
  const save = values.get('save')
  if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url) || stray !== undefined)
    return exitWithUsageError('login: expected one address, e.g. login https://example.org --save example')
  if (save === undefined || save === '')
    return exitWithUsageError('login: --save is missing: the name of a state, or the path of a file')
  const raw = [...values].flatMap(([name, value]) => (name === 'save' ? [] : [`--${name}=${value}`]))
  return { settings: parseSettings(raw).settings, request: { url, save } }
}

// `call` takes words beside the options, and one option more.
function parseCallArguments(rawArgs: readonly string[]): {
  settings: Settings
  raw: readonly string[]
  rest: readonly string[]
  url: URL | undefined
} {
  const flags = readFlags(rawArgs, [...optionNames, 'url'], switches)
  if (!flags.ok) return exitWithUsageError(flags.error)
  const { values, rest } = flags.value
  const address = values.get('url')
  if (address !== undefined && !URL.canParse(address))
    return exitWithUsageError(`--url: expected the address of a server, received ${address}`)
  const raw = [...values].flatMap(([name, value]) => (name === 'url' ? [] : [`--${name}=${value}`]))
  return {
    settings: parseSettings(raw).settings,
    raw,
    rest,
    url: address === undefined ? undefined : new URL(address),
  }
}
