// How the program starts itself again, in each form in which it is run.

import { expect, test } from 'bun:test'
import { selfCommand } from '../../../src/core/cli/terminal/start-command.ts'

const executables = [
  ['/opt/footlight', '/$bunfs/root/footlight'],
  ['C:\\Tools\\footlight.exe', 'B:/~BUN/root/footlight-windows-x64'],
  ['C:\\Tools\\footlight.exe', 'B:\\~BUN\\root\\footlight.exe'],
]

for (const [execPath = '', script = ''] of executables)
  test(`the executable with the script ${script} is started without it`, () => {
    const own = { execPath, argv: [execPath, script, 'demo'], versions: { bun: '1.4.5' } }
    expect(selfCommand(['demo-app'], own)).toEqual({ command: execPath, args: ['demo-app'] })
  })

test('a runtime is given the script, and Deno its permissions', () => {
  const node = { execPath: '/usr/bin/node', argv: ['/usr/bin/node', '/app/footlight.mjs'], versions: {} }
  expect(selfCommand(['demo-app'], node).args).toEqual(['/app/footlight.mjs', 'demo-app'])
  const deno = { ...node, execPath: '/usr/bin/deno', versions: { deno: '2.5.0' } }
  expect(selfCommand(['demo-app'], deno).args).toEqual(['run', '-A', '/app/footlight.mjs', 'demo-app'])
})
