// What the browser itself takes: raw Playwright, and below it the browser's own protocol with nothing between. Contexts of one browser in
// this process, which is not weighed.

import { chromium } from 'playwright'
import { letters, type Act } from './contenders.ts'
import { openProtocol } from './protocol.ts'

/** One page, by what can be done with it. */
export type Acts = Partial<Record<Act, () => Promise<unknown>>>

export interface Floor {
  readonly name: string
  /** Starts a browser with so many contexts, each with a page on `url`. */
  open(count: number, url: string, env?: Readonly<Record<string, string>>): Promise<Opened>
}

interface Opened {
  readonly pages: readonly Acts[]
  close(): Promise<void>
}

export const floors = (
  executablePath: string,
  sandbox: boolean,
): readonly [playwright: Floor, cdp: Floor] => [
  {
    name: 'raw Playwright',
    async open(count, url, env = {}) {
      const whole = { ...(process.env as Record<string, string>), ...env }
      const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox, env: whole })
      const one = async (): Promise<Acts> => {
        const page = await (await browser.newContext()).newPage()
        await page.goto(url)
        return {
          navigate: () => page.goto(url).then(() => page.title()),
          click: () => page.locator('#b').click(),
          type: () => page.locator('#i').pressSequentially(letters),
          evaluate: () => page.evaluate('1 + 1'),
          snapshot: () => page.ariaSnapshot({ mode: 'ai' }).then(() => page.title()),
          screenshot: () => page.screenshot(),
        }
      }
      return { pages: await Promise.all(Array.from({ length: count }, one)), close: () => browser.close() }
    },
  },
  {
    name: 'raw CDP',
    async open(count, url, env = {}) {
      const browser = await openProtocol(executablePath, sandbox, env)
      const one = async (): Promise<Acts> => {
        const { send, once } = await browser.page()
        const evaluate = async (expression: string) =>
          (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value
        const navigate = async () => {
          const loaded = once('Page.loadEventFired')
          await send('Page.navigate', { url })
          await loaded
          return evaluate('document.title')
        }
        await navigate()
        return {
          navigate,
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
            const strokes = [...letters].flatMap((key) => [
              send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }),
              send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
            ])
            await Promise.all(strokes)
          },
          evaluate: () => evaluate('1 + 1'),
          snapshot: () => send('Accessibility.getFullAXTree'),
          screenshot: () => send('Page.captureScreenshot'),
        }
      }
      return { pages: await Promise.all(Array.from({ length: count }, one)), close: browser.close }
    },
  },
]
