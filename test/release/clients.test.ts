// A client and an application that nobody here wrote: the MCP Inspector's command line, and TodoMVC.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { defaultTools } from '../../src/core/cli/tools/catalogue.ts'
import { binary, connect, type Peer } from '../support/client.ts'
import { serveOverHttp } from '../support/http.ts'
import { trace } from '../support/leftovers.ts'
import { type Fetched, filesOf, install } from '../support/npm.ts'
import { serveSite, type Site } from '../support/site.ts'

describe('the MCP Inspector', () => {
  let fetched: Fetched
  // It needs Node 22.19; the newer Node comes as a package of this platform.
  const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  beforeAll(() => {
    fetched = install('@modelcontextprotocol/inspector@2.12.0', `${node}@24.21.0`)
  }, 300_000)
  afterAll(() => fetched.remove())

  async function inspect(...args: string[]): Promise<{ status: number | null; answer: any }> {
    const modules = join(fetched.folder, 'node_modules')
    const left = trace()
    const { status, stdout } = spawnSync(
      join(modules, node, 'bin/node'),
      [
        join(modules, '.bin/inspector'),
        '--cli',
        ...args,
        '--format',
        'json',
        '-q',
        '--',
        binary,
        '--headless',
      ],
      { encoding: 'utf8', env: { ...process.env, ...left.env }, timeout: 60_000 },
    )
    await left.expectNothing()
    return { status, answer: JSON.parse(stdout) }
  }

  test('lists the tools and finds no error in their schemas', async () => {
    const { status, answer } = await inspect('--method', 'tools/list', '--strict')
    expect(status).toBe(0)
    expect(answer.result.tools).toHaveLength(defaultTools.length)
  }, 300_000)

  test('calls a tool that succeeds, and one that fails', async () => {
    const made = await inspect('--method', 'tools/call', '--tool-name', 'create_session')
    expect(made.status).toBe(0)
    expect(made.answer.result.structuredContent.sessionId).toHaveLength(36)
    const failed = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'click',
      '--tool-arg',
      'sessionId=none',
      'selector=a',
    )
    expect(failed.answer.result).toMatchObject({
      isError: true,
      structuredContent: { errorCode: 'SESSION_NOT_FOUND' },
    })
  }, 300_000)

  test('lists and calls tools on a running server', async () => {
    const server = await serveOverHttp()
    const modules = join(fetched.folder, 'node_modules')
    const inspect = async (...args: string[]) => {
      const child = Bun.spawn(
        [
          join(modules, node, 'bin/node'),
          join(modules, '.bin/inspector'),
          '--cli',
          String(server.url),
          '--transport',
          'http',
          ...args,
          '--format',
          'json',
          '-q',
        ],
        { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
      )
      const text = await new Response(child.stdout).text()
      return { status: await child.exited, answer: JSON.parse(text) }
    }
    const listed = await inspect('--method', 'tools/list', '--strict')
    expect([listed.status, listed.answer.result.tools.length]).toEqual([0, defaultTools.length])
    const made = await inspect('--method', 'tools/call', '--tool-name', 'create_session')
    expect(made.answer.result.structuredContent.sessionId).toHaveLength(36)
    await server.close()
  }, 300_000)
})

describe('TodoMVC', () => {
  let fetched: Fetched
  let site: Site
  let peer: Peer
  beforeAll(async () => {
    fetched = install('todomvc@0.1.1')
    site = await serveSite({}, filesOf(join(fetched.folder, 'node_modules/todomvc/examples')))
    peer = await connect()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
    fetched.remove()
  })

  test.each(['vanillajs', 'backbone', 'angularjs', 'react', 'canjs'])(
    '%s: add, complete, filter, edit, clear, reload',
    async (framework) => {
      const sessionId = await peer.session({ name: framework })
      const call = async (tool: string, input: Record<string, unknown>) => {
        const { failed, data } = await peer.call(tool, { sessionId, ...input })
        if (failed) throw new Error(`${tool} ${JSON.stringify(input)}: ${data.message}`)
        return data
      }
      const shown = async () => {
        const script =
          '[...document.querySelectorAll("#todo-list li")].filter((li) => li.offsetHeight > 0).map((li) => li.querySelector("label").textContent.trim())'
        return (await call('evaluate', { script })).result
      }
      const item = (text: string) => `#todo-list li:has(label:text-is("${text}"))`

      await call('navigate', { url: `${site.url}/${framework}/` })
      for (const text of ['Paint the set', 'Hang the lights', 'Sell tickets'])
        await call('type', { selector: '#new-todo', text, submit: true })
      expect(await shown()).toEqual(['Paint the set', 'Hang the lights', 'Sell tickets'])

      await call('click', { selector: `${item('Hang the lights')} >> .toggle` })
      await call('wait_for', { selector: `${item('Hang the lights')} >> .toggle:checked` })
      await call('click', { selector: 'text="Active"' })
      await call('wait_for', { selector: item('Hang the lights'), state: 'hidden' })
      expect(await shown()).toEqual(['Paint the set', 'Sell tickets'])
      await call('click', { selector: 'text="All"' })
      await call('wait_for', { selector: item('Hang the lights') })

      await call('click', { selector: `${item('Sell tickets')} >> label`, clickCount: 2 })
      await call('type', {
        selector: '#todo-list li.editing .edit',
        text: 'Sell all tickets',
        clear: true,
        submit: true,
      })
      await call('wait_for', { selector: item('Sell all tickets') })

      const { snapshot } = await call('snapshot', {})
      const clear = /button "Clear completed.*?" .*?\[(\w+)\]/.exec(snapshot)?.[1]
      await call('click', { ref: clear })
      await call('wait_for', { selector: item('Hang the lights'), state: 'detached' })
      expect(await shown()).toEqual(['Paint the set', 'Sell all tickets'])

      await call('navigate', { url: 'about:blank' })
      await call('navigate', { url: `${site.url}/${framework}/` })
      await call('wait_for', { selector: item('Sell all tickets') })
      expect(await shown()).toEqual(['Paint the set', 'Sell all tickets'])
      expect((await peer.call('screenshot', { sessionId })).data).toMatchObject({ width: 1280, height: 720 })
      await peer.call('close_session', { sessionId })
    },
    60_000,
  )
})
