// What each client does: it opens a session, reads a page, clicks there, clicks what is missing, clicks what is covered on a page that is
// full of errors, and closes the session.

import type { Part } from './model/api.ts'

export interface Step {
  readonly tool: string
  /** Words where the tool takes no fields but a text, such as a program. */
  readonly input: Readonly<Record<string, unknown>> | string
}

export const prompt = 'Look at the shop with the tools of footlight, and click its buttons.'
export const lastWords = 'All steps are done.'

export const routes = {
  '/': `<title>Shop</title><h1>Cart</h1><button onclick="fetch('/ordered')">Place order</button><a href="#terms">Terms of sale</a>`,
  '/ordered': 'ordered',
  '/errors': `<title>Shop with errors</title><h1>Cart</h1><button id="order">Place order</button>
<div id="veil" style="position:fixed;inset:0;background:#0004"></div><script>
const items = Array.from({ length: 40 }, (_, item) => ({ sku: 'SKU-' + (8800 + item * 37), stock: item % 7 }))
function loadCart(item) { throw new TypeError('Cannot read properties of undefined (reading ' + item + ') while the cart was loaded with ' + JSON.stringify(items)) }
for (let item = 0; item < 12; item += 1) {
  try { loadCart(item) } catch (error) { console.error('Unhandled rejection in component <CartItem key=' + item + '>: ' + error.stack) }
  fetch('/api/v2/inventory/items/' + item + '/availability?warehouse=central&currency=EUR&customer=4f9d1b7e-6c1d-4a4e-9c65-0f7a3b1f2d88')
}
</script>`,
}

const SESSION_NAME = 'shop'
// Stands for the id that create_session has shown: over HTTP without authentication it is all by which a session is found. Elsewhere the
// name is shown alone.
const sessionId = '{sessionId}'

/** The steps, by name. */
export const stepsFor = (url: string) =>
  ({
    create: { tool: 'create_session', input: { name: SESSION_NAME } },
    open: { tool: 'navigate', input: { sessionId, url } },
    snapshot: { tool: 'snapshot', input: { sessionId } },
    click: { tool: 'click', input: { sessionId, selector: 'button' } },
    screenshot: { tool: 'screenshot', input: { sessionId } },
    missing: { tool: 'click', input: { sessionId, selector: '#place-ordr', timeout: 500 } },
    openErrors: {
      tool: 'navigate',
      input: { sessionId, url: `${url}/errors`, waitUntil: 'networkidle' },
    },
    covered: { tool: 'click', input: { sessionId, selector: '#order', timeout: 500 } },
    close: { tool: 'close_session', input: { sessionId } },
  }) as const satisfies Readonly<Record<string, Step>>

export type StepName = keyof ReturnType<typeof stepsFor>

/** The step with the session that the answers so far have shown. */
export function fillSessionId(step: Step, answers: readonly (readonly Part[])[]): Step {
  const texts = answers.flat().map((part) => (part.type === 'text' ? part.text : ''))
  const [id] = texts.flatMap((text) => /sessionId\W+([\da-f-]{36})/.exec(text)?.[1] ?? [])
  return JSON.parse(JSON.stringify(step).replaceAll(sessionId, id ?? SESSION_NAME)) as Step
}
