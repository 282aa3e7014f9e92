// Real processes: commands whose servers are in a group of their own, ended as a runner of tests ends them.

import { afterEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { endGroup } from '../../../../src/core/devserver/process/end-group.ts'
import { createProcessTree, type ProcessTree } from '../../../../src/core/devserver/process/process-tree.ts'
import { until } from '../../../support/leftovers.ts'

const trees: ProcessTree[] = []
afterEach(async () => {
  for (const tree of trees.splice(0)) {
    tree.signal('SIGKILL')
    expect(await until(() => !tree.isAlive())).toBe(true)
  }
})

const SERVER = "require('http').createServer().listen(0, () => console.log('up'))"
const CHILD = `const { spawn } = require('node:child_process'); const server = ${JSON.stringify(SERVER)}\n`

/** A command of a server; it is up when it has printed something. */
async function start(script: string) {
  const child = spawn('node', ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const tree = createProcessTree('end-group', child.pid)
  trees.push(tree)
  await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, tree }
}

const onLinux = test.if(process.platform === 'linux')

onLinux('a server whose process group is all of it, and helpers that hold nothing, run on', async () => {
  for (const script of [
    SERVER,
    `${CHILD}spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
eval(server)`,
  ]) {
    const server = await start(script)
    const before = server.tree.members().length
    expect(await endGroup(server)).toBeUndefined()
    expect(server.tree.members().length).toBe(before)
  }
})

onLinux('a command that passes the signal on ends with its server, whichever output that has', async () => {
  for (const output of ['inherit', 'pipe']) {
    const server =
      await start(`${CHILD}const child = spawn(process.execPath, ['-e', server], { detached: true, stdio: ['ignore', '${output}', 'ignore'] })
child.stdout?.pipe(process.stdout)
process.on('SIGTERM', () => child.kill())
child.on('exit', () => process.exit())`)
    expect(await endGroup(server)).toEqual({})
    expect(server.tree.isAlive()).toBe(false)
  }
})

onLinux(
  'what a command leaves is named: one that ignores the signal, one that dies of it',
  async () => {
    for (const handler of ["process.on('SIGTERM', () => {})", '']) {
      const server = await start(
        `${CHILD}${handler}; spawn(process.execPath, ['-e', server], { detached: true, stdio: 'inherit' })`,
      )
      expect(await endGroup(server)).toEqual({ left: expect.stringMatching(/^pid \d+ \(".*node -e /) })
    }
  },
  30_000,
)
