import { expect, test } from 'bun:test'
import { commandNames } from '../../../src/cli/commands/commands.ts'
import { isShellCommand } from '../../../src/cli/options/command-names.ts'
import { verbNames } from '../../../src/cli/shell/verbs.ts'
import { SHELL_SERVER_COMMAND } from '../../../src/cli/shell-client/start-server.ts'
import { RELAY_COMMAND } from '../../../src/core/cdp/relay-lines.ts'
import { SUPERVISOR_COMMAND } from '../../../src/core/dev-server.ts'
import { RELEASE_COMMAND } from '../../../src/core/remote-release.ts'

test('a verb and an unknown word go to the server, a command and a help do not', () => {
  const commands = [
    ...commandNames,
    'serve',
    'demo-app',
    SHELL_SERVER_COMMAND,
    RELAY_COMMAND,
    SUPERVISOR_COMMAND,
    RELEASE_COMMAND,
  ]
  expect(commands.filter((name) => isShellCommand([name]))).toEqual([])
  expect(verbNames.filter((name) => !isShellCommand([name, 'e1']))).toEqual([])
  expect(isShellCommand(['clikc'])).toBe(true)
  expect(isShellCommand(['click', '--help'])).toBe(false)
  expect(isShellCommand(['--headless'])).toBe(false)
  expect(isShellCommand([])).toBe(false)
  for (const option of ['-s', '--owner-pid']) expect(isShellCommand([option, 'x', 'click'])).toBe(true)
})
