// What --server-command leaves of a request for a dev server, on a real disk.

import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isBelow } from '../../../../src/core/base/files/workspace-roots.ts'
import {
  describeMovedProgram,
  resolveAllowedProgram,
} from '../../../../src/core/devserver/process/allowed-programs.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-allowed-')))
afterAll(() => rmSync(root, { recursive: true }))
const workspace = join(root, 'work')
const output = join(workspace, 'out')
mkdirSync(join(workspace, 'a/b'), { recursive: true })
mkdirSync(join(output, 'a'), { recursive: true })
mkdirSync(join(root, 'work-twin'))
symlinkSync(join(root, 'work-twin'), join(workspace, 'away'))
symlinkSync(output, join(workspace, 'a/results'))
symlinkSync(join(workspace, 'a'), join(root, 'work-twin/back'))
const box = join(root, 'box')
writeFileSync(box, '')
for (const name of ['ls', 'sh', 'serve']) symlinkSync(box, join(root, name))

const limits = {
  commands: [join(root, 'serve'), 'npm start'],
  variables: ['PORT', 'HOST'],
  workspace,
  outputFolder: output,
}
const command = [join(root, 'serve')]

test('a variable that is not listed is refused, whatever it is called', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('PORT', 'HOST', 'port', 'PATH', 'LD_PRELOAD', 'constructor', '__proto__', 'PORT\0'),
  )
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 4 }), fc.boolean(), (names, shell) => {
      const env = Object.fromEntries(names.map((one) => [one, 'x']))
      const judged = resolveAllowedProgram({ command: shell ? 'npm start' : command, env }, limits)
      expect(judged.ok).toBe(names.every((one) => limits.variables.includes(one)))
      if (!judged.ok) expect(judged.error).toMatchObject({ code: 'ACCESS_DENIED', allowed: 'PORT, HOST' })
    }),
    { numRuns: 500 },
  )
})

test.each(['serve --host $HOST', 'serve --host "${HOST}"', 'serve --host %HOST%'])(
  'the value of a variable does not become a part of the command: %s',
  (text) => {
    const request = { command: text, env: { HOST: '0.0.0.0 --directory /' } }
    expect(resolveAllowedProgram(request, { ...limits, commands: [text] })).toMatchObject({
      ok: false,
      error: { code: 'ACCESS_DENIED', allowed: 'PORT' },
    })
    const port = { command: text, env: { PORT: '8080' } }
    expect(resolveAllowedProgram(port, { ...limits, commands: [text] }).ok).toBe(true)
  },
)

test('a folder is taken by its real path: in the workspace and not in the output directory', () => {
  const part = fc.constantFrom(
    '..',
    '.',
    'a',
    'b',
    'work',
    'work-twin',
    'out',
    'away',
    'results',
    'back',
    'none',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.boolean(), (parts, absolute) => {
      const cwd = absolute ? [root, ...parts].join('/') : [workspace, ...parts].join('/')
      let real: string | undefined
      try {
        real = realpathSync(cwd)
      } catch {
        real = undefined
      }
      const judged = resolveAllowedProgram({ command, cwd }, limits)
      if (real === undefined) return
      expect([cwd, judged.ok]).toEqual([cwd, isBelow(real, workspace) && !isBelow(real, output)])
      if (judged.ok) expect(judged.value.cwd).toBe(real)
    }),
    { numRuns: 500 },
  )
})

test('a program with many names runs under the listed one, whatever name it is asked for by', () => {
  for (const name of ['serve', 'sh', 'ls', 'box'])
    expect(resolveAllowedProgram({ command: [join(root, name), '-c', 'x'] }, limits)).toEqual({
      ok: true,
      value: { path: box, name: join(root, 'serve'), cwd: undefined },
    })
  const both = { ...limits, commands: [join(root, 'serve'), join(root, 'ls')] }
  expect(resolveAllowedProgram({ command: [join(root, 'ls')] }, both)).toMatchObject({
    value: { name: join(root, 'ls') },
  })
})

test('what was judged is refused once it leads elsewhere', () => {
  const path = join(root, 'real')
  writeFileSync(path, '')
  const program = { path, name: path, cwd: join(workspace, 'a') }
  expect(describeMovedProgram(program)).toBeUndefined()
  rmSync(path)
  symlinkSync(box, path)
  expect(describeMovedProgram(program)).toContain(`${path} resolves to another file`)
  expect(describeMovedProgram({ ...program, path: undefined })).toBeUndefined()
  expect(describeMovedProgram(undefined)).toBeUndefined()
})
