import { describe, expect, test } from 'bun:test'
import { stripVTControlCharacters } from 'node:util'
import { commandNames, loadCommand } from '../../../src/core/cli/commands/commands.ts'
import { commandHelp, mainHelp, optionsHelp } from '../../../src/core/cli/commands/help.ts'
import { readArgs } from '../../../src/core/cli/commands/parse-settings.ts'
import { toCamelCase } from '../../../src/core/cli/options/flags.ts'
import { optionNames } from '../../../src/core/cli/options/option-list.ts'
import { toKebabCase } from '../../../src/core/cli/options/option-names.ts'
import { wrapLines } from '../../../src/core/cli/terminal/output.ts'
import { setupFlags } from '../../../src/features/setup/setup-request.ts'

const countOf = (text: string, option: string) =>
  (text.match(new RegExp(`--${toKebabCase(option)}\\b(?!-)`, 'g')) ?? []).length

test('the main help has every command and option once, and is short', async () => {
  const text = await mainHelp(100)
  for (const name of commandNames) expect(text).toMatch(new RegExp(`^  ${name} `, 'm'))
  for (const name of optionNames) expect([name, countOf(text, name)]).toEqual([name, 1])
  expect(text.split('\n').length).toBeLessThanOrEqual(51)
})

test('the help of the options explains each once, in lines that fit a terminal', () => {
  const text = optionsHelp(120)
  for (const name of optionNames) expect([name, countOf(text, name)]).toEqual([name, 1])
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
})

const commandOf = async (name: string) => {
  const command = await loadCommand(name)
  if (!command) throw new Error(`no command ${name}`)
  return command
}

const all = (await Promise.all(commandNames.map(commandOf)))
  .flatMap((command) => [command, ...Object.values(command.subCommands ?? {})])
  .map((command) => [command.meta.name, command] as const)

describe.each(all)('%s', (name, command) => {
  test('its help has its usage, its flags and two examples', async () => {
    const text = stripVTControlCharacters(await commandHelp(command, 100))
    const words = text.replace(/\s+/g, ' ')
    expect(text).toContain(`USAGE footlight ${name}`)
    for (const [flag, { type, description = '' }] of Object.entries(command.args)) {
      expect(text).toContain(type === 'positional' ? flag.toUpperCase() : `--${flag}`)
      expect(words).toContain(description)
    }
    expect(command.examples).toHaveLength(2)
    for (const example of command.examples) expect(text).toContain(`  ${example}\n`.trimEnd())
    for (const option of command.options) expect(text).toContain(`--${toKebabCase(option)}`)
  })

  test('it accepts its examples', () => {
    for (const example of command.examples) {
      const [, given = ''] = example.split(`footlight ${name}`)
      const words = given
        .replace(/[|)].*| -- .*/g, '')
        .split(' ')
        .filter(Boolean)
      expect(readArgs(command, words, Infinity)).toMatchObject({ ok: true })
    }
  })
})

test.each([60, 100])('lines break between words; examples stay whole: %p columns', async (width) => {
  const call = await commandOf('call')
  const text = stripVTControlCharacters(await commandHelp(call, width))
  const words = (from: string) => from.split(/\s+/).filter(Boolean)
  expect(words(text)).toEqual(words(stripVTControlCharacters(await commandHelp(call, 500))))
  const lines = text.split('\n').filter((line) => !call.examples.includes(line.trim()))
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
  expect(text.split('\n')).toContain(`  ${call.examples[1]}`)
})

test('a wrapped line goes on below its last column, or where that leaves no room near the margin', () => {
  expect(wrapLines('  --fix  one two three four five six seven   ', 32)).toBe(
    '  --fix  one two three four five\n         six seven',
  )
  expect(wrapLines('  --fix  one two three four five', 24)).toBe('  --fix  one two three\n    four five')
})

test('the help of setup has the flags that it reads', async () => {
  const flags = Object.keys((await commandOf('setup')).args).filter((name) => name !== 'client')
  expect(flags.map(toCamelCase).sort()).toEqual([...setupFlags].sort())
})
