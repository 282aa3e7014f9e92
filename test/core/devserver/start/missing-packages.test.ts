import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  findMissingPackage,
  findMissingPackages,
} from '../../../../src/core/devserver/start/missing-packages.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fl-packages-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (path: string, content: object = {}) => {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(content))
}
const needsVite = { devDependencies: { vite: '8' } }

test('a package.json that needs packages and has none: the manager whose lock file is there installs them', () => {
  write('package.json', needsVite)
  expect(findMissingPackages(root)).toEqual({ folder: root, command: 'npm install' })
  mkdirSync(join(root, 'src'))
  expect(findMissingPackages(join(root, 'src'))).toEqual({ folder: root, command: 'npm install' })
  write('package.json', { ...needsVite, packageManager: 'yarn@4.5.0' })
  expect(findMissingPackages(root)?.command).toBe('yarn install')
  for (const [lock, command] of [
    ['package-lock.json', 'npm install'],
    ['bun.lock', 'bun install'],
    ['yarn.lock', 'yarn install'],
    ['pnpm-lock.yaml', 'pnpm install'],
  ] as const) {
    write(lock)
    expect(findMissingPackages(root)?.command).toBe(command)
  }
})

test('nothing is missing where nothing is needed or all is there', () => {
  expect(findMissingPackages(root)).toBeUndefined()
  write('package.json', { scripts: { dev: 'node server.js' } })
  expect(findMissingPackages(root)).toBeUndefined()
  write('package.json', needsVite)
  write('.pnp.cjs')
  expect(findMissingPackages(root)).toBeUndefined()
  rmSync(join(root, '.pnp.cjs'))
  mkdirSync(join(root, 'node_modules'))
  expect(findMissingPackages(root)).toBeUndefined()
})

test('a package of a workspace has its packages at the root of that, and not in any folder above', () => {
  write('package.json', { workspaces: ['apps/*'] })
  write('package-lock.json')
  write('apps/web/package.json', needsVite)
  const web = join(root, 'apps/web')
  expect(findMissingPackages(web)).toEqual({ folder: root, command: 'npm install' })
  mkdirSync(join(root, 'node_modules'))
  expect(findMissingPackages(web)).toBeUndefined()
  write('package.json')
  expect(findMissingPackages(web)).toEqual({ folder: web, command: 'npm install' })
})

test('one package that a program did not find is installed from the list that names it', () => {
  const find = (line: string) => findMissingPackage(join(root, 'src'), ['at line 1', line])
  const lines = {
    python: "ModuleNotFoundError: No module named 'flask_cors'",
    ruby: '<internal:require>: cannot load such file -- sinatra (LoadError)',
    node: "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'express' imported from /app/s.mjs",
  }
  for (const line of Object.values(lines)) expect(find(line)).toBeUndefined()
  writeFileSync(join(root, 'requirements.txt'), 'Flask-Cors==4.0\n')
  writeFileSync(join(root, 'Gemfile'), "gem 'sinatra'\n")
  write('package.json', { dependencies: { express: '4' } })
  const folder = root
  expect(find(lines.python)).toEqual({
    folder,
    command: 'pip install -r requirements.txt',
    name: 'flask_cors',
  })
  expect(find(lines.ruby)).toEqual({ folder, command: 'bundle install', name: 'sinatra' })
  expect(find(lines.node)).toEqual({ folder, command: 'npm install', name: 'express' })
  writeFileSync(join(root, 'poetry.lock'), 'name = "flask-cors"\n')
  expect(find(lines.python)?.command).toBe('poetry install')
  expect(find("ModuleNotFoundError: No module named 'mine'")).toBeUndefined()
  expect(find("Error: Cannot find module './mine.js'")).toBeUndefined()
})
