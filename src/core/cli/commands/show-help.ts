// `footlight help`, and what is said of a command that is not there.

import process from 'node:process'
import { findClosestName } from '../../base/text/closest-name.ts'
import { exitWithUsageError, printSentences } from '../terminal/output.ts'
import { joinCommand } from '../terminal/quote-command.ts'
import { commandNames, isCommandName, loadCommand } from './commands.ts'
import { commandHelp, loadTopics, mainHelp, optionsHelp, printHelp } from './help.ts'
import { findTool } from './print-tools.ts'

/** The words of the command or verb that `--help` stands in; none of a server. */
export async function helpPathOf(path: readonly string[], first: string): Promise<readonly string[]> {
  if (isCommandName(first)) return path
  const topics = await loadTopics()
  // A verb may follow the name of its session.
  const verb = path.slice(0, 2).find((word) => topics.some(({ names }) => names.includes(word)))
  return verb === undefined ? [] : [verb]
}

/** The help of the command in `words`, which may be followed by anything. */
export async function showHelp([name = '', subName = '']: readonly string[]): Promise<void> {
  if (name === '') return printHelp(mainHelp)
  if (name === 'options') return printHelp(optionsHelp)
  const topics = await loadTopics()
  const text = topics.map(({ textOf }) => textOf(name)).find((one) => one !== undefined)
  if (text !== undefined) return printSentences(text)
  const command = await loadCommand(name)
  if (!command) return refuseUnknownCommand([name])
  if (name === 'call' && findTool(subName)) return void (await (await loadCommand('tools'))?.run([subName]))
  return printHelp((width) => commandHelp(command.subCommands?.[subName] ?? command, width))
}

const COMPLETION_REMOVED =
  'completion was removed: footlight help lists the commands, and footlight VERB --help what one takes.'

export async function refuseUnknownCommand([name = '', ...rest]: readonly string[]): Promise<never> {
  const topics = await loadTopics()
  const closest = findClosestName(name, [...commandNames, ...topics.flatMap(({ names }) => names)])
  if (name === 'completion') return exitWithUsageError(COMPLETION_REMOVED)
  const hint = findTool(name)
    ? `It is a tool: ${joinCommand(['footlight', 'call', name, ...rest], process.platform)}`
    : closest
      ? `Did you mean "${closest}"?`
      : 'footlight help lists the commands.'
  return exitWithUsageError(`unknown command "${name}". ${hint}`)
}
