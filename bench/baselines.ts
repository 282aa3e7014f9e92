// The baselines below all contenders: raw Playwright, and the browser's own protocol without a client library. Contexts of one browser in
// the process that calls.

import { chromium } from 'playwright'
import { type Act, letters } from './contenders.ts'
import { openProtocol, type ProtocolPage } from './protocol.ts'

/** The acts that a baseline can perform on one page. */
export type Acts = Partial<Record<Act, () => Promise<unknown>>>

export interface Baseline {
  readonly name: string
  /** Starts a browser with `count` contexts, each with a page on `url`. */
  open(count: number, url: string, env?: Readonly<Record<string, string>>): Promise<OpenedBaseline>
}

interface OpenedBaseline {
  readonly pages: readonly Acts[]
  close(): Promise<void>
}

export const createBaselines = (
  executablePath: string,
  sandbox: boolean,
): readonly [playwright: Baseline, cdp: Baseline] => [
  {
    name: 'raw Playwright',
    async open(count, url, env = {}) {
      const fullEnv = { ...(process.env as Record<string, string>), ...env }
      const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox, env: fullEnv })
      const openPage = async () => {
        const page = await (await browser.newContext()).newPage()
        await page.goto(url)
        return playwrightActs(page, url)
      }
      return {
        pages: await Promise.all(Array.from({ length: count }, openPage)),
        close: () => browser.close(),
      }
    },
  },
  {
    name: 'raw CDP',
    async open(count, url, env = {}) {
      const browser = await openProtocol(executablePath, sandbox, env)
      const openPage = async () => {
        const acts = cdpActs(await browser.page(), url)
        await acts.navigate?.()
        return acts
      }
      return { pages: await Promise.all(Array.from({ length: count }, openPage)), close: browser.close }
    },
  },
]

type PlaywrightPage = Awaited<ReturnType<Awaited<ReturnType<typeof chromium.launch>>['newPage']>>

const playwrightActs = (page: PlaywrightPage, url: string): Acts => ({
  navigate: () => page.goto(url).then(() => page.title()),
  click: () => page.locator('#b').click(),
  type: () => page.locator('#i').pressSequentially(letters),
  evaluate: () => page.evaluate('1 + 1'),
  snapshot: () => page.ariaSnapshot({ mode: 'ai' }).then(() => page.title()),
  screenshot: () => page.screenshot(),
})

function cdpActs({ send, once }: ProtocolPage, url: string): Acts {
  const evaluate = async (expression: string) =>
    (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  return {
    async navigate() {
      const loaded = once('Page.loadEventFired')
      await send('Page.navigate', { url })
      await loaded
      return evaluate('document.title')
    },
    async click() {
      const [x, y] = await evaluate(
        '(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector("#b").getBoundingClientRect())',
      )
      const press = { x, y, button: 'left', clickCount: 1 }
      await Promise.all([
        send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }),
        send('Input.dispatchMouseEvent', { type: 'mousePressed', ...press }),
        send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press }),
      ])
    },
    async type() {
      await evaluate('document.querySelector("#i").focus()')
      const keyEvents = [...letters].flatMap((key) => [
        send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }),
        send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
      ])
      await Promise.all(keyEvents)
    },
    evaluate: () => evaluate('1 + 1'),
    snapshot: () => send('Accessibility.getFullAXTree'),
    screenshot: () => send('Page.captureScreenshot'),
  }
}
