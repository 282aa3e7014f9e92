// A person at a window of Chromium: the input comes through the DevTools protocol, on a connection of its own, and the browser treats it as
// that of a mouse and a keyboard.

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './leftovers.ts'
import { reservePort } from './reserve-port.ts'

type Result = Record<string, any>

/** A program that starts Chromium, and a window of it with a debugging port of its own beside Playwright's pipe. */
export async function writeOpenChromium(
  folder: string,
  executable = '/usr/bin/chromium',
): Promise<{ path: string; port: number }> {
  const port = await reservePort()
  const path = join(folder, `chromium-${port}`)
  writeFileSync(
    path,
    `#!/bin/sh\ncase " $* " in *" --headless"*) ;; *) set -- --remote-debugging-port=${port} "$@" ;; esac\nexec ${executable} "$@"\n`,
  )
  chmodSync(path, 0o755)
  return { path, port }
}

export interface Person {
  /** Waits until the expression, evaluated in the page, is true. */
  see(expression: string): Promise<void>
  /** Waits until the page is loaded and a recording notices what is done in it. */
  seeNoticed(): Promise<void>
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
  /** Chooses a tool of Playwright's toolbar, and waits until it is chosen. */
  choose(tool: string): Promise<void>
  seeChosen(tool: string): Promise<void>
  /** Waits until no tool for checks is chosen any more. */
  seeRecording(): Promise<void>
  /** Clicks what has this title in the toolbar or in its dialog. */
  clickTitle(title: string): Promise<void>
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

// Of all that listen to the document, only what notices actions listens to it: not Playwright's toolbar, which is there before.
const NOTICED_EVENT = 'change'

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
    if (!(await until(isThere))) throw new Error(`no window at ${text}`)
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
  const clickAt = async (point: [number, number], button = 'left', count = 1) => {
    await mouse('mouseMoved', point)
    for (let clickCount = 1; clickCount <= count; clickCount += 1)
      await Promise.all(
        ['mousePressed', 'mouseReleased'].map((type) =>
          mouse(type, point, { button, buttons: 1, clickCount }),
        ),
      )
  }
  // The toolbar is in a closed shadow root.
  const findTitle = async (title: string): Promise<ToolbarNode | undefined> =>
    findNode((await here('DOM.getDocument', { depth: -1, pierce: true }))['root'], title)
  const isChosen = async (title: string) =>
    / toggled/.test((await findTitle(title))?.attributes.join(' ') ?? '')
  const clickTitle = async (title: string) => {
    let content: number[] | undefined
    const isThere = async () => {
      const node = await findTitle(title)
      const box = node && (await here('DOM.getBoxModel', { nodeId: node.nodeId }).catch(() => undefined))
      content = box?.['model'].content
      return content !== undefined
    }
    if (!(await until(isThere)) || !content) throw new Error(`no ${title}`)
    const [x1 = 0, y1 = 0, , , x2 = 0, y2 = 0] = content
    await clickAt([(x1 + x2) / 2, (y1 + y2) / 2])
  }
  const seeChosen = async (tool: string) => {
    if (!(await until(() => isChosen(tool)))) throw new Error(`${tool} was not chosen`)
  }
  await turnTo(part)
  return {
    clickTitle,
    async choose(tool) {
      await clickTitle(tool)
      await seeChosen(tool)
    },
    seeChosen,
    async seeRecording() {
      const isRecording = async () =>
        (await Promise.all(['visibility', 'text', 'value'].map((name) => isChosen(`Assert ${name}`)))).every(
          (chosen) => !chosen,
        )
      if (!(await until(isRecording))) throw new Error('a tool is still chosen')
    },
    evaluate,
    async see(expression) {
      const isTrue = () => evaluate(expression).then(Boolean, () => false)
      if (!(await until(isTrue))) throw new Error(`never true: ${expression}`)
    },
    async seeNoticed() {
      const isNoticed = async () => {
        const { result } = await here('Runtime.evaluate', {
          expression: `document.readyState === 'complete' ? document : null`,
        })
        if (!result.objectId) return false
        const { listeners } = await here('DOMDebugger.getEventListeners', { objectId: result.objectId })
        return (listeners as { type: string }[]).some(({ type }) => type === NOTICED_EVENT)
      }
      if (!(await until(() => isNoticed().catch(() => false)))) throw new Error('nothing is noticed')
    },
    async click(selector, { count = 1, button = 'left', at } = {}) {
      await clickAt(await pointOf(selector, at), button, count)
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

interface ToolbarNode {
  readonly nodeId: number
  readonly attributes: readonly string[]
}

function findNode(node: Result, title: string): ToolbarNode | undefined {
  const { attributes = [], children = [], shadowRoots = [] } = node
  const index = attributes.indexOf('title')
  if (index % 2 === 0 && attributes[index + 1] === title) return node as unknown as ToolbarNode
  for (const child of [...children, ...shadowRoots]) {
    const match = findNode(child, title)
    if (match) return match
  }
  return undefined
}

async function connect(port: number) {
  let address = ''
  const isListening = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined)
    address = answer?.ok ? ((await answer.json()) as Result)['webSocketDebuggerUrl'] : ''
    return address !== ''
  }
  if (!(await until(isListening))) throw new Error('the browser does not listen')
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
