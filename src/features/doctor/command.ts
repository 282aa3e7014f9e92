import process from 'node:process'
import { optionNames } from '../../core/cli/options/option-list.ts'
import type { Command } from '../../core/tool/command.ts'

export const doctorCommand: Command = {
  meta: { name: 'doctor', description: 'check this machine and say how to fix problems' },
  group: 'Set up',
  args: {
    json: { type: 'boolean', description: 'print JSON' },
    fix: { type: 'boolean', description: 'remove what earlier runs left behind' },
  },
  options: optionNames,
  examples: ['footlight doctor', 'footlight doctor --browser firefox'],
  async run(rawArgs) {
    const { runDoctor } = await import('./doctor-command.ts')
    process.exitCode = await runDoctor(rawArgs)
  },
}
