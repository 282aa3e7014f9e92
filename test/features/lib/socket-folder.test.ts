import { afterEach, beforeEach, expect, test } from 'bun:test'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import {
  findWorkTree,
  listAllSockets,
  listSockets,
  newSocketPath,
  openSocketFolder,
} from '../../../src/features/lib/socket/socket-folder.ts'

let outer = ''

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'fl-sockets-'))
})
afterEach(() => rmSync(outer, { recursive: true, force: true }))

const open = () => openSocketFolder({ XDG_RUNTIME_DIR: outer })
const problem = () => {
  const opened = open()
  return typeof opened === 'string' ? opened : 'none'
}

test('the folder is made for the user alone, and one that was open to others is refused, not repaired', () => {
  expect(open()).toEqual({ folder: join(outer, 'footlight') })
  expect(statSync(join(outer, 'footlight')).mode & 0o777).toBe(0o700)
  for (const mode of [0o755, 0o770, 0o701, 0o750]) {
    chmodSync(join(outer, 'footlight'), mode)
    expect(problem()).toContain(`its mode is ${mode.toString(8)}`)
    expect(statSync(join(outer, 'footlight')).mode & 0o777).toBe(mode)
  }
})

test('a folder to whose surroundings a group may write is refused', () => {
  chmodSync(outer, 0o770)
  expect(problem()).toContain('its group may write to the folder around it')
})

test("a socket is the user's own: no file, no link, of no other user or mode", async () => {
  const opened = open()
  const folder = typeof opened === 'string' ? '' : opened.folder
  const place = { tree: '/a', agent: 'b' }
  const found = newSocketPath(folder, place)
  const path = typeof found === 'string' ? '' : found.path
  const server = createServer().listen(path)
  await once(server, 'listening')
  const isListed = () => [listSockets(folder, place).length, listAllSockets(folder).length]
  chmodSync(path, 0o600)
  expect(isListed()).toEqual([1, 1])
  chmodSync(path, 0o660)
  expect(isListed()).toEqual([0, 0])
  chmodSync(path, 0o600)
  symlinkSync(path, path.replace('.sock', '1.sock'))
  writeFileSync(path.replace('.sock', '2.sock'), '', { mode: 0o600 })
  expect(isListed()).toEqual([1, 1])
  if (process.getuid?.() === 0) {
    chownSync(path, 1234, 1234)
    expect(isListed()).toEqual([0, 0])
  }
  server.close()
})

test('without a runtime folder it is in the folder for state', () => {
  expect(openSocketFolder({ XDG_STATE_HOME: join(outer, 'state') })).toEqual({
    folder: join(outer, 'state/footlight'),
  })
  expect(openSocketFolder({ XDG_RUNTIME_DIR: 'relative', XDG_STATE_HOME: outer })).toEqual({
    folder: join(outer, 'footlight'),
  })
})

test('a link is refused', () => {
  mkdirSync(join(outer, 'elsewhere'))
  symlinkSync(join(outer, 'elsewhere'), join(outer, 'footlight'))
  expect(problem()).toContain('it is no folder')
})

test.skipIf(process.getuid?.() !== 0)('the folder of another user is refused', () => {
  mkdirSync(join(outer, 'footlight'))
  chownSync(join(outer, 'footlight'), 1234, 1234)
  expect(problem()).toContain('it belongs to user 1234')
})

test('a folder to which everybody may write is refused, and what to do is in the message', () => {
  chmodSync(outer, 0o1777)
  expect(problem()).toContain('everybody may write to the folder around it')
  expect(problem()).toContain('Set XDG_RUNTIME_DIR')
})

test('a path that is too long for a socket is refused', () => {
  const folder = join(outer, 'x'.repeat(60))
  const path = newSocketPath(folder, { tree: '/a', agent: 'b' })
  expect(typeof path === 'string' && path.includes('too long')).toBe(true)
})

test('the sockets of a work tree are listed with those of the agent first, and the older one before the younger', async () => {
  const opened = open()
  const folder = typeof opened === 'string' ? '' : opened.folder
  const place = { tree: '/work', agent: 'me' }
  const servers: Server[] = []
  const make = async (tree: string, agent: string): Promise<string> => {
    const path = newSocketPath(folder, { tree, agent })
    const name = typeof path === 'string' ? '' : path.path
    servers.push(createServer().listen(`${name}~`))
    await once(servers.at(-1) ?? createServer(), 'listening')
    chmodSync(`${name}~`, 0o600)
    renameSync(`${name}~`, name)
    // The next one has another time in its name and in the file system.
    await new Promise((resolve) => setTimeout(resolve, 12))
    return name
  }
  const other = await make('/work', 'other')
  const [older, younger] = [await make('/work', 'me'), await make('/work', 'me')]
  const elsewhere = await make('/another', 'me')
  expect(listSockets(folder, place).map(({ path }) => path)).toEqual([older, younger, other])
  expect(listSockets(folder, place).map(({ isOfAgent }) => isOfAgent)).toEqual([true, true, false])
  expect([...listAllSockets(folder)].sort()).toEqual([other, older, younger, elsewhere].sort())
  for (const server of servers) server.close()
})

test('the work tree is the nearest folder with .git, which a linked work tree has as a file; else the folder itself', () => {
  const inner = join(outer, 'repository/packages/app')
  mkdirSync(inner, { recursive: true })
  expect(findWorkTree(inner)).toBe(inner)
  mkdirSync(join(outer, 'repository/.git'))
  expect(findWorkTree(inner)).toBe(join(outer, 'repository'))
  writeFileSync(join(outer, 'repository/packages/.git'), 'gitdir: elsewhere')
  expect(findWorkTree(inner)).toBe(join(outer, 'repository/packages'))
})
