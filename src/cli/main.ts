// The command line. citty finds the command; what it would accept silently is checked before it sees it.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { defineCommand, runCommand } from 'citty'
import { chooseTools } from './serve/choose-tools.ts'
import { commandNames, commands, switches } from './commands.ts'
import { readFlags } from './options/flags.ts'
import { helpText } from './options/help.ts'
import { optionNames, type Settings } from './options/options.ts'
import { resolveSettings } from './options/settings.ts'
import { VERSION } from './version.ts'
import { findClosestName } from '../core/text/closest-name.ts'
import type { Tool } from '../tools/define/tool.ts'

const hidden = ['serve', 'demo-app']

const command = defineCommand({
  meta: { name: 'footlight', version: VERSION },
  subCommands: {
    serve: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings, tools } = configure(rawArgs)
        const { serve } = await import('./serve/serve.ts')
        await serve(settings, tools)
      },
    }),
    demo: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings } = configure(rawArgs)
        const { demo } = await import('./client/demo.ts')
        process.exitCode = await demo(settings, rawArgs)
      },
    }),
    // What `demo` starts as its dev server.
    'demo-app': defineCommand({
      run: async () => {
        const { demoApp } = await import('./client/demo-app.ts')
        demoApp()
      },
    }),
    doctor: defineCommand({
      run: async ({ rawArgs }) => {
        const { doctor } = await import('./doctor/command.ts')
        process.exitCode = await doctor(rawArgs)
      },
    }),
    browsers: defineCommand({
      run: async ({ rawArgs }) => {
        const { browsers } = await import('./browsers/command.ts')
        process.exitCode = await browsers(rawArgs)
      },
    }),
    tools: defineCommand({
      run: async ({ rawArgs }) => {
        const format = ['json', 'markdown'].find((name) => rawArgs.includes(`--${name}`)) ?? 'text'
        const { settings, tools } = configure(rawArgs.filter((arg) => arg !== `--${format}`))
        const { printTools } = await import('./print-tools.ts')
        await printTools(tools, settings, format)
      },
    }),
    call: defineCommand({
      run: async ({ rawArgs }) => {
        const { settings, rest, raw, url } = configureCall(rawArgs)
        const { runSteps, stepsOf } = await import('./client/call-tools.ts')
        const steps = stepsOf(rest)
        process.exitCode = steps.ok
          ? await runSteps(steps.value, raw, url, settings.outputDir)
          : refuse(steps.error)
      },
    }),
    setup: defineCommand({
      run: async ({ rawArgs }) => {
        const { requestOf } = await import('./setup/request.ts')
        const request = requestOf(rawArgs)
        if (!request.ok) return refuse(request.error)
        configure(request.value.options)
        const { setup } = await import('./setup/command.ts')
        process.exitCode = setup(request.value)
      },
    }),
    completion: defineCommand({
      run: async ({ rawArgs }) => {
        const { completion } = await import('./completion/command.ts')
        const script = completion(rawArgs)
        print(script.ok ? script.value.trimEnd() : refuse(script.error))
      },
    }),
    version: defineCommand({
      run: async ({ rawArgs }) => {
        const [stray] = rawArgs.filter((arg) => arg !== '--json')
        if (stray !== undefined)
          return refuse(`version: unexpected argument "${stray}". It takes only --json`)
        if (rawArgs.length === 0) return print(VERSION)
        const { buildInfo } = await import('./build-info.ts')
        print(JSON.stringify(buildInfo(), null, 2))
      },
    }),
  },
})

/** Runs the command line; `raw` is without the program's own name. */
export async function runMain(raw: readonly string[]): Promise<void> {
  const [first = ''] = raw
  if (raw.includes('--help') || raw.includes('-h'))
    return void process.stdout.write(helpText(VERSION, commands))
  if (raw.includes('--version') || raw.includes('-v')) return print(VERSION)
  if (first !== '' && !first.startsWith('-') && !Object.hasOwn(commands, first) && !hidden.includes(first)) {
    const close = findClosestName(first, commandNames)
    refuse(
      `unknown command "${first}". ${close ? `Did you mean "${close}"?` : 'footlight --help lists them.'}`,
    )
  }
  const named = Object.hasOwn(commands, first) || hidden.includes(first)
  try {
    await runCommand(command, { rawArgs: named ? [...raw] : ['serve', ...raw] })
  } catch (error) {
    process.stderr.write(`footlight: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function configure(raw: readonly string[]): { settings: Settings; tools: readonly Tool[] } {
  const flags = readFlags(raw, optionNames, switches)
  if (!flags.ok) return refuse(flags.error)
  const [stray] = flags.value.rest
  if (stray !== undefined)
    return refuse(`unexpected argument "${stray}". Options begin with --; footlight --help lists them.`)
  const read = (path: string) => readFileSync(path, 'utf8')
  const settings = resolveSettings({ flags: flags.value.values, env: process.env, read })
  if (!settings.ok) return refuse(settings.error)
  const tools = chooseTools(settings.value.tools)
  return tools.ok ? { settings: settings.value, tools: tools.value } : refuse(tools.error)
}

// `call` takes words beside the options, and one option more.
function configureCall(given: readonly string[]): {
  settings: Settings
  raw: readonly string[]
  rest: readonly string[]
  url: URL | undefined
} {
  const flags = readFlags(given, [...optionNames, 'url'], switches)
  if (!flags.ok) return refuse(flags.error)
  const { values, rest } = flags.value
  const at = values.get('url')
  if (at !== undefined && !URL.canParse(at))
    return refuse(`--url: expected the address of a server, received ${at}`)
  const raw = [...values].flatMap(([name, value]) => (name === 'url' ? [] : [`--${name}=${value}`]))
  return { settings: configure(raw).settings, raw, rest, url: at === undefined ? undefined : new URL(at) }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function refuse(text: string): never {
  process.stderr.write(`footlight: ${text}\n`)
  process.exit(2)
}
