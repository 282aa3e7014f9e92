// Every command once: what the help says of it, and the words that may follow it.

import { clientNames } from './setup/clients.ts'
import { scopes, setupFlags, setupSwitches } from './setup/setup-request.ts'
import { toKebabCase, optionNames, optionOf } from './options/options.ts'
import { shells } from './completion/shells.ts'

export interface Command {
  readonly about: string
  /** Words that may follow it. */
  readonly words?: readonly string[]
  /** Flags of its own, with the values they take; none for a switch. */
  readonly flags?: Readonly<Record<string, readonly string[] | 'any' | undefined>>
  /** Whether footlight's own options go with it. */
  readonly options: boolean
}

export const commands = {
  demo: { about: 'run a complete example session, including a failure', options: true },
  doctor: {
    about: 'check this machine and say how to fix problems (--json, --fix)',
    flags: { '--json': undefined, '--fix': undefined },
    options: true,
  },
  browsers: {
    about: 'list, install, pack or unpack browsers (--json, --out kit.tar.gz, …)',
    words: ['list', 'install', 'pack', 'unpack'],
    flags: { '--json': undefined, '--browser': ['chromium', 'firefox'], '--out': 'any', '--dir': 'any' },
    options: false,
  },
  tools: {
    about: 'list the tools (--json, --markdown)',
    flags: { '--json': undefined, '--markdown': undefined },
    options: true,
  },
  call: {
    about: 'call tools: call navigate \'{"url":"…"}\' snapshot (--url: use a running server)',
    flags: { '--url': 'any' },
    options: true,
  },
  login: {
    about: 'log in in a window and save the state: login URL --save NAME (or a file)',
    flags: { '--save': 'any' },
    options: true,
  },
  record: {
    about: 'record in a window what you do, as a test: record URL (--save PATH, --name TITLE, …)',
    flags: { '--save': 'any', '--name': 'any', '--command': 'any', '--cwd': 'any', '--storage-state': 'any' },
    options: true,
  },
  setup: {
    about: 'add footlight to a client: setup cursor (--write, --remove, --dry-run, --scope, --name)',
    words: clientNames,
    flags: Object.fromEntries(
      setupFlags.map((name) => [
        `--${toKebabCase(name)}`,
        name === 'scope' ? scopes : (setupSwitches as readonly string[]).includes(name) ? undefined : 'any',
      ]),
    ),
    options: false,
  },
  completion: { about: 'print a completion script: bash, zsh or fish', words: shells, options: false },
  version: {
    about: 'print the version (--json: with runtime and platform)',
    flags: { '--json': undefined },
    options: false,
  },
} as const satisfies Record<string, Command>

export const commandNames = Object.keys(commands) as (keyof typeof commands)[]

export const commandOf = (name: keyof typeof commands): Command => commands[name]

/** Options that may stand without a value. */
export const switches = optionNames.filter((name) => optionOf(name).value?.startsWith('[') ?? true)
