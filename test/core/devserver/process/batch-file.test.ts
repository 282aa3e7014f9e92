// How a command of an array is started on Windows.

import { expect, test } from 'bun:test'
import { toWindowsCommandLine } from '../../../../src/core/devserver/process/spawn-command.ts'

const files = [
  'C:\\node\\node.exe',
  'C:\\node\\npm',
  'C:\\node\\npm.cmd',
  'D:\\app\\server.bat',
  'D:\\app\\node_modules\\.bin\\vite.cmd',
]
const search = {
  cwd: 'D:\\app',
  env: { Path: 'C:\\windows;C:\\node', PathExt: '.EXE;.CMD;.BAT', ComSpec: 'C:\\windows\\cmd.exe' },
  isFile: (path: string) => files.includes(path),
}
const run = (name: string, ...args: readonly string[]) => toWindowsCommandLine(name, args, search)
const batch = (line: string) => ({
  path: 'C:\\windows\\cmd.exe',
  args: ['/d', '/s', '/c', `"${line}"`],
  isVerbatim: true,
})

test('a program is started by its path, with its arguments as they are', () => {
  expect(run('node', 'a b')).toEqual({ path: 'C:\\node\\node.exe', args: ['a b'], isVerbatim: false })
  expect(run('C:\\node\\node.exe').path).toBe('C:\\node\\node.exe')
})

test('a batch file is run by cmd.exe, whether it is named with its extension or not', () => {
  expect(run('npm', 'run', 'dev')).toEqual(batch('C:\\node\\npm.cmd ^"run^" ^"dev^"'))
  expect(run('npm.cmd', 'run')).toEqual(batch('C:\\node\\npm.cmd ^"run^"'))
  expect(run('./server.bat')).toEqual(batch('D:\\app\\server.bat'))
})

test('cmd.exe gives a batch file the arguments as they are, and so does a batch file the program behind it', () => {
  expect(run('npm', 'a b', 'c"d', 'e\\', '%PATH%&f')).toEqual(
    batch('C:\\node\\npm.cmd ^"a^ b^" ^"c\\^"d^" ^"e\\\\^" ^"^%PATH^%^&f^"'),
  )
  expect(run('node_modules/.bin/vite', 'a b')).toEqual(
    batch('D:\\app\\node_modules\\.bin\\vite.cmd ^^^"a^^^ b^^^"'),
  )
})

test('a program that is not found keeps its name', () => {
  expect(run('nosuch', 'x')).toEqual({ path: 'nosuch', args: ['x'], isVerbatim: false })
  expect(run('./npm').path).toBe('./npm')
})
