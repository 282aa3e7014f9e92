// `footlight browsers` and what may follow it.

import process from 'node:process'
import type { Command } from '../../core/tool/command.ts'

type SubCommand = Omit<Command, 'run'>

const installableBrowsers = ['chromium', 'firefox', 'webkit']
const packableBrowsers = ['chromium', 'firefox']

const list: SubCommand = {
  meta: { name: 'browsers list', description: 'list the browsers of this machine and which one is used' },
  args: { json: { type: 'boolean', description: 'print JSON' } },
  options: [],
  examples: ['footlight browsers list', 'footlight browsers list --json'],
}

const install: SubCommand = {
  meta: { name: 'browsers install', description: 'download a browser that Playwright built' },
  args: {
    browser: { type: 'positional', required: false, description: installableBrowsers.join(', ') },
    full: { type: 'boolean', description: 'chromium with windows, not only its headless shell' },
  },
  options: [],
  examples: ['footlight browsers install', 'footlight browsers install firefox'],
}

const pack: SubCommand = {
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

const unpack: SubCommand = {
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

export const browsersCommand: Command = {
  meta: { name: 'browsers', description: 'list, install, pack or unpack browsers' },
  group: 'Set up',
  args: {},
  options: [],
  examples: ['footlight browsers list', 'footlight browsers install firefox'],
  subCommands: { list, install, pack, unpack },
  async run(rawArgs) {
    const { runBrowsersCommand } = await import('./browsers-command.ts')
    process.exitCode = await runBrowsersCommand(rawArgs, { list, install, pack, unpack })
  },
}
