import { expect, test } from 'bun:test'
import { commandNames, isShellCommand } from '../../../src/core/cli/commands/commands.ts'
import { verbNames } from '../../../src/features/shell/verbs.ts'

test('a verb and an unknown word go to the server, a command and a help do not', () => {
  expect([...commandNames, 'serve-shell'].filter((name) => isShellCommand([name]))).toEqual([])
  expect(verbNames.filter((name) => !isShellCommand([name, 'e1']))).toEqual([])
  expect(isShellCommand(['clikc'])).toBe(true)
  expect(isShellCommand(['click', '--help'])).toBe(false)
  expect(isShellCommand(['--headless'])).toBe(false)
  expect(isShellCommand([])).toBe(false)
  for (const option of ['-s', '--owner-pid']) expect(isShellCommand([option, 'x', 'click'])).toBe(true)
})
