// A person at a window of Chromium: the input comes through the DevTools protocol, on a connection of its own, and the browser treats it as
// that of a mouse and a keyboard.

import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from './leftovers.ts'

type Result = Record<string, any>

/** A program that starts Chromium with a debugging port of its own beside Playwright's pipe. */
export async function writeOpenChromium(
  folder: string,
  executable = '/usr/bin/chromium',
): Promise<{ path: string; port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const path = join(folder, `chromium-${port}`)
  writeFileSync(path, `#!/bin/sh\nexec ${executable} --remote-debugging-port=${port} "$@"\n`)
  chmodSync(path, 0o755)
  return { path, port }
}

export interface Person {
  /** Waits until the expression, evaluated in the page, is true. */
  see(expression: string): Promise<void>
  evaluate(expression: string): Promise<unknown>
  /** Clicks the middle of what the selector matches, or a point relative to it. */
  click(
    selector: string,
    options?: { count?: number; button?: 'left' | 'right'; at?: [number, number] },
  ): Promise<void>
  /** Types letter by letter. */
  type(text: string): Promise<void>
  press(key: string, modifiers?: number): Promise<void>
  drag(from: string, to: string): Promise<void>
  send(method: string, params?: object): Promise<Result>
  /** The windows that are open now, in order of their opening. */
  windows(): Promise<readonly string[]>
  /** Turns to the window whose address contains this. */
  turnTo(part: string): Promise<void>
  leave(): void
}

const KEYS: Record<string, [code: string, keyCode: number, text?: string]> = {
  Enter: ['Enter', 13, '\r'],
  Tab: ['Tab', 9],
  Escape: ['Escape', 27],
  ArrowDown: ['ArrowDown', 40],
  Backspace: ['Backspace', 8],
  ' ': ['Space', 32, ' '],
}

/** Sits down at the browser with this port, once its page is at an address that contains `part`. */
export async function sitDown(port: number, part: string): Promise<Person> {
  const { send, close } = await connect(port)
  let sessionId: string | undefined
  const pages = async () => {
    const { targetInfos } = await send('Target.getTargets')
    return (targetInfos as { type: string; url: string; targetId: string }[]).filter(
      ({ type }) => type === 'page',
    )
  }
  const turnTo = async (text: string) => {
    let targetId: string | undefined
    const isThere = async () => {
      targetId = (await pages()).find(({ url }) => url.includes(text))?.targetId
      return targetId !== undefined
    }
    if (!(await until(isThere, 50_000))) throw new Error(`no window at ${text}`)
    sessionId = (await send('Target.attachToTarget', { targetId, flatten: true }))['sessionId']
    // For dialogs, which only those can answer who were there when they opened.
    await send('Page.enable', {}, sessionId)
  }
  const here = (method: string, params: object = {}) => send(method, params, sessionId)
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await here('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return result.value as unknown
  }
  const pointOf = async (selector: string, at?: [number, number]) =>
    (await evaluate(
      `(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return ${at ? `[x + ${at[0]}, y + ${at[1]}]` : '[x + width / 2, y + height / 2]'} })()`,
    )) as [number, number]
  const mouse = (type: string, [x, y]: [number, number], rest: object = {}) =>
    here('Input.dispatchMouseEvent', { type, x, y, ...rest })
  await turnTo(part)
  return {
    evaluate,
    async see(expression) {
      const isTrue = () => evaluate(expression).then(Boolean, () => false)
      if (!(await until(isTrue, 50_000))) throw new Error(`never true: ${expression}`)
    },
    async click(selector, { count = 1, button = 'left', at } = {}) {
      const point = await pointOf(selector, at)
      await mouse('mouseMoved', point)
      for (let clickCount = 1; clickCount <= count; clickCount += 1)
        await Promise.all(
          ['mousePressed', 'mouseReleased'].map((type) =>
            mouse(type, point, { button, buttons: 1, clickCount }),
          ),
        )
    },
    async type(text) {
      for (const letter of text) {
        const key = { key: letter, text: letter, unmodifiedText: letter }
        await here('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
        await here('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
      }
    },
    async press(key, modifiers = 0) {
      const [code, windowsVirtualKeyCode, text] = KEYS[key] ?? [key, key.toUpperCase().charCodeAt(0)]
      const event = { key, code, windowsVirtualKeyCode, modifiers, ...(text !== undefined && { text }) }
      await Promise.all(
        ['keyDown', 'keyUp'].map((type) => here('Input.dispatchKeyEvent', { type, ...event })),
      )
    },
    async drag(from, to) {
      const [start, end] = [await pointOf(from), await pointOf(to)]
      await mouse('mouseMoved', start)
      await mouse('mousePressed', start, { button: 'left', buttons: 1, clickCount: 1 })
      for (const share of [0.1, 0.5, 0.9, 1]) {
        const [x, y] = [0, 1].map((axis) => start[axis]! + (end[axis]! - start[axis]!) * share) as [
          number,
          number,
        ]
        await mouse('mouseMoved', [x, y], { button: 'left', buttons: 1 })
      }
      await mouse('mouseReleased', end, { button: 'left', clickCount: 1 })
    },
    send: here,
    windows: async () => (await pages()).map(({ url }) => url),
    turnTo,
    leave: close,
  }
}

async function connect(port: number) {
  let address = ''
  const isListening = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined)
    address = answer?.ok ? ((await answer.json()) as Result)['webSocketDebuggerUrl'] : ''
    return address !== ''
  }
  if (!(await until(isListening, 50_000))) throw new Error('the browser does not listen')
  const socket = new WebSocket(address)
  const pending = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>()
  let lastId = 0
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    if (error) pending.get(id)?.reject(new Error(error.message))
    else pending.get(id)?.resolve(result)
    pending.delete(id)
  }
  await new Promise((resolve) => (socket.onopen = resolve))
  return {
    send: (method: string, params: object = {}, sessionId?: string) =>
      new Promise<Result>((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject })
        socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }))
      }),
    close: () => socket.close(),
  }
}
