// Every command once, in citty's form: what its help says of it, and what may follow it.

import type { ArgsDef } from 'citty'
import { clientNames } from '../../../features/setup/clients.ts'
import { scopes } from '../../../features/setup/setup-request.ts'
import type { CommandName } from '../options/command-names.ts'
import { type OptionName, optionNames, optionOf, optionsInGroup } from '../options/options.ts'

export interface Command {
  readonly meta: { readonly name: string; readonly description: string }
  readonly group?: 'Set up' | 'Use' | 'With a window' | 'About'
  /** Its own arguments and flags. */
  readonly args: ArgsDef
  /** Footlight's options that it uses. */
  readonly options: readonly OptionName[]
  readonly examples: readonly [string, string]
  readonly subCommands?: Readonly<Record<string, Command>>
}

const launchOptions = [
  'browser',
  'executablePath',
  'proxyServer',
  'proxyBypass',
  'launchTimeout',
  'ignoreHttpsErrors',
  'config',
] as const
const sessionOptions = optionNames.filter((name) => !optionsInGroup('HTTP').includes(name))
const installableBrowsers = ['chromium', 'firefox', 'webkit']
const packableBrowsers = ['chromium', 'firefox']

const list: Command = {
  meta: { name: 'browsers list', description: 'list the browsers of this machine and which one is used' },
  args: { json: { type: 'boolean', description: 'print JSON' } },
  options: [],
  examples: ['footlight browsers list', 'footlight browsers list --json'],
}

const install: Command = {
  meta: { name: 'browsers install', description: 'download a browser that Playwright built' },
  args: {
    browser: { type: 'positional', required: false, description: installableBrowsers.join(', ') },
    full: { type: 'boolean', description: 'chromium with windows, not only its headless shell' },
  },
  options: [],
  examples: ['footlight browsers install', 'footlight browsers install firefox'],
}

const pack: Command = {
  meta: { name: 'browsers pack', description: 'write an installed browser and its libraries to one file' },
  args: {
    out: { type: 'string', required: true, valueHint: 'FILE', description: 'the file to write' },
    browser: { type: 'enum', options: packableBrowsers, description: 'the browser to pack' },
    'executable-path': { type: 'string', valueHint: 'PATH', description: 'browser executable to pack' },
  },
  options: [],
  examples: [
    'footlight browsers pack --out kit.tar.gz',
    'footlight browsers pack --browser firefox --out firefox.tar.gz',
  ],
}

const unpack: Command = {
  meta: { name: 'browsers unpack', description: 'unpack such a file on another machine' },
  args: {
    kit: { type: 'positional', required: true, description: 'the file' },
    dir: { type: 'string', valueHint: 'DIR', description: 'folder for the browser' },
  },
  options: [],
  examples: [
    'footlight browsers unpack kit.tar.gz',
    'footlight browsers unpack kit.tar.gz --dir /opt/browsers',
  ],
}

const commands: Readonly<Record<CommandName, Command>> = {
  setup: {
    meta: { name: 'setup', description: 'add footlight to a client' },
    group: 'Set up',
    args: {
      client: { type: 'positional', required: true, description: clientNames.join(', ') },
      write: { type: 'boolean', description: 'change the configuration file of the client' },
      skill: { type: 'boolean', description: 'install a skill for its shell; with --write both' },
      remove: { type: 'boolean', description: 'remove footlight from it' },
      'dry-run': { type: 'boolean', description: 'print the change and do not make it' },
      scope: { type: 'enum', options: [...scopes], description: 'the file of the user or of the project' },
      name: { type: 'string', valueHint: 'NAME', description: 'name of the server (footlight)' },
    },
    options: [],
    examples: ['footlight setup claude-code --write', 'footlight setup cursor --write -- --browser firefox'],
  },
  skill: {
    meta: { name: 'skill', description: 'print a skill for agents that use a shell' },
    group: 'Set up',
    args: {},
    options: [],
    examples: ['footlight skill', 'footlight skill > .claude/skills/footlight/SKILL.md'],
  },
  doctor: {
    meta: { name: 'doctor', description: 'check this machine and say how to fix problems' },
    group: 'Set up',
    args: {
      json: { type: 'boolean', description: 'print JSON' },
      fix: { type: 'boolean', description: 'remove what earlier runs left behind' },
    },
    options: optionNames,
    examples: ['footlight doctor', 'footlight doctor --browser firefox'],
  },
  browsers: {
    meta: { name: 'browsers', description: 'list, install, pack or unpack browsers' },
    group: 'Set up',
    args: {},
    options: [],
    examples: ['footlight browsers list', 'footlight browsers install firefox'],
    subCommands: { list, install, pack, unpack },
  },
  demo: {
    meta: { name: 'demo', description: 'run a complete example session, including a failure' },
    group: 'Set up',
    args: {},
    options: sessionOptions,
    examples: ['footlight demo', 'footlight demo --browser firefox --no-headless'],
  },
  call: {
    meta: { name: 'call', description: 'call tools, one after the other, in one session' },
    group: 'Use',
    args: {
      tool: { type: 'positional', required: true, description: 'name of a tool; footlight tools lists them' },
      input: {
        type: 'positional',
        required: false,
        description: 'its input as key=value … or as JSON, \'{"key": …}\'; then the next tool',
      },
      text: { type: 'boolean', description: 'print what a model reads; the default on a terminal' },
      json: { type: 'boolean', description: 'print a line of JSON for each call; the default in a pipe' },
      server: {
        type: 'string',
        valueHint: 'URL',
        description: 'call a running server, http://HOST:PORT/mcp',
      },
    },
    options: sessionOptions,
    examples: [
      'footlight call navigate url=https://example.org snapshot',
      `footlight call create_session 'command=npm run dev' navigate url=/ click '{"selector": "#save"}'`,
    ],
  },
  daemon: {
    meta: { name: 'daemon', description: 'list or stop the servers that answer the shell' },
    group: 'Use',
    args: {
      action: { type: 'positional', required: false, description: 'list (default) or stop' },
      all: { type: 'boolean', description: 'stop those of all folders and agents' },
      json: { type: 'boolean', description: 'print JSON' },
    },
    options: [],
    examples: ['footlight daemon', 'footlight daemon stop'],
  },
  view: {
    meta: { name: 'view', description: 'watch all sessions in a browser, take one over, comment' },
    group: 'Use',
    args: {},
    options: sessionOptions,
    examples: ['footlight view', 'footlight view --browser firefox'],
  },
  tools: {
    meta: { name: 'tools', description: 'list the tools, or show the fields of one' },
    group: 'Use',
    args: {
      tool: { type: 'positional', required: false, description: 'name of a tool' },
      json: { type: 'boolean', description: 'print JSON, as a client gets it' },
      markdown: { type: 'boolean', description: 'print a table' },
    },
    options: ['tools', 'names', 'implicitSession', 'config'],
    examples: ['footlight tools', 'footlight tools click'],
  },
  login: {
    meta: { name: 'login', description: 'log in yourself and save the state for create_session' },
    group: 'With a window',
    args: {
      url: { type: 'positional', required: true, description: 'page to open' },
      save: { type: 'string', valueHint: 'NAME', description: 'name of the state, or a path' },
    },
    options: [...launchOptions, 'profile'],
    examples: [
      'footlight login https://example.org --save example',
      'footlight login https://example.org --profile example',
    ],
  },
  record: {
    meta: { name: 'record', description: 'use a page yourself and save that as a test' },
    group: 'With a window',
    args: {
      url: { type: 'positional', required: false, description: 'page to open; a path with --command' },
      command: {
        type: 'string',
        valueHint: 'COMMAND',
        description: 'dev server to start, such as "npm run dev"',
      },
      cwd: { type: 'string', valueHint: 'DIR', description: 'folder of the command' },
      save: { type: 'string', valueHint: 'PATH', description: 'path of the test' },
      name: { type: 'string', valueHint: 'TITLE', description: 'title of the test' },
      'storage-state': {
        type: 'string',
        valueHint: 'FILE',
        description: 'file of a state to begin with, as login saves it',
      },
    },
    options: [...launchOptions, 'testIdAttribute', 'secrets', 'reveal', 'outputDir', 'view', 'logLevel'],
    examples: [
      'footlight record / --command "npm run dev" --save tests/cart.spec.ts',
      'footlight record https://example.org --storage-state ./state.json',
    ],
  },
  version: {
    meta: { name: 'version', description: 'print the version' },
    group: 'About',
    args: { json: { type: 'boolean', description: 'print JSON, with runtime and platform' } },
    options: [],
    examples: ['footlight version', 'footlight version --json'],
  },
  help: {
    meta: { name: 'help', description: 'explain a command, a verb, or all options' },
    group: 'About',
    args: {
      command: { type: 'positional', required: false, description: 'a command, a verb, agent or options' },
    },
    options: [],
    examples: ['footlight help agent', 'footlight help options'],
  },
}

export const commandOf = (name: CommandName): Command => commands[name]

/** Options that may stand without a value. */
export const switches = optionNames.filter((name) => optionOf(name).value?.startsWith('[') ?? true)
