import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { renderUsage } from 'citty'
import { colors } from 'consola/utils'
import { features } from '../../../features/index.ts'
import type { Command } from '../../tool/command.ts'
import type { HelpTopics } from '../../tool/feature.ts'
import { optionGroupNames, optionOf, optionsInGroup } from '../options/option-list.ts'
import { toKebabCase, variableNameOf } from '../options/option-names.ts'
import type { OptionName } from '../options/options.ts'
import { VERSION } from '../options/version.ts'
import { printLine, wrapLines } from '../terminal/output.ts'
import { commandNames, loadCommand } from './commands.ts'

const DEFAULT_WIDTH_CHARS = 100

const mainExamples = [
  '  footlight setup claude-code --write',
  '  footlight up "npm run dev"',
  '  footlight call navigate url=https://example.org snapshot',
]

const commandGroups: readonly Command['group'][] = ['Set up', 'Use', 'With a window', 'About']

/** The text of `footlight --help`, in lines of `width`; examples stay on one line, so that they can be copied. */
export async function mainHelp(width: number): Promise<string> {
  const commands = await Promise.all(commandNames.map(loadCommand))
  const topics = await loadTopics()
  return [
    `footlight ${VERSION}: isolated browser sessions for AI agents, and the dev server behind them, over MCP`,
    '',
    'Usage: footlight [OPTIONS]             serve MCP on stdin and stdout, or over HTTP',
    '       footlight COMMAND [OPTIONS]',
    '       footlight help COMMAND|VERB     explain one',
    ...commandGroups.flatMap((group) => [
      '',
      group,
      ...commands.flatMap((command) => (command && command.group === group ? commandLine(command) : [])),
    ]),
    ...topics.flatMap(({ overview }) => ['', ...overview]),
    '',
    'Options (footlight help options explains them)',
    ...optionGroupNames.map((group) => `  ${group.padEnd(12)}${flagsOf(optionsInGroup(group)).join(' ')}`),
  ]
    .map((line = '') => wrapLines(line, width))
    .concat('', 'Examples', ...mainExamples)
    .join('\n')
}

/** What features explain besides their commands. */
export const loadTopics = (): Promise<readonly HelpTopics[]> =>
  Promise.all(features.flatMap(({ help }) => help?.() ?? []))

/** The text of `footlight help options`. */
export const optionsHelp = (width: number): string =>
  wrapLines(
    [
      ...optionGroupNames.flatMap((group) => [group, ...optionsInGroup(group).map(optionLine), '']),
      `Every option is also an environment variable (${variableNameOf('sessionTimeout')}) and a config file key (sessionTimeout).`,
      'A flag overrides a variable; a variable overrides the config file.',
    ].join('\n'),
    width,
  )

/** The text of `footlight help COMMAND`. */
export async function commandHelp(
  { options, examples, ...command }: Omit<Command, 'run'>,
  width: number,
): Promise<string> {
  const usage = await renderUsage(command, { meta: { name: 'footlight', version: VERSION } })
  const more = `${heading('MORE OPTIONS')} (footlight help options explains them)\n\n  ${flagsOf(options).join(' ')}`
  return [
    wrapLines(usage.trimEnd(), width),
    [heading('EXAMPLES'), '', ...examples.map((example) => `  ${example}`)].join('\n'),
    ...(options.length > 0 ? [wrapLines(more, width)] : []),
  ].join('\n\n')
}

/** Prints a help text for the width of the terminal, with colors only there. */
export async function printHelp(helpOf: (width: number) => string | Promise<string>): Promise<void> {
  const { isTTY, columns } = process.stdout
  const text = await helpOf(columns || DEFAULT_WIDTH_CHARS)
  printLine(isTTY && !process.env['NO_COLOR'] ? text : stripVTControlCharacters(text))
}

/** The default as people read it, or nothing. */
export function defaultOf(name: OptionName): string {
  const { byDefault, schema } = optionOf(name)
  const value = (schema as { default?: unknown }).default
  return byDefault ?? (value === undefined ? '' : String(value))
}

// --- internal ---

const heading = (text: string): string => colors.underline(colors.bold(text))

const commandLine = ({ meta }: Command): string => `  ${meta.name.padEnd(12)}${meta.description}`

const flagsOf = (names: readonly string[]): string[] => names.map((name) => `--${toKebabCase(name)}`)

function optionLine(name: OptionName): string {
  const { value, about } = optionOf(name)
  const flag = `--${toKebabCase(name)}${value ? ` ${value}` : ''}`
  const defaultText = defaultOf(name)
  return `  ${flag.padEnd(28)}${about}${defaultText ? ` (${defaultText})` : ''}`
}
