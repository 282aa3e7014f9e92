// A flow as data: the calls of an agent that looks at the page before it names an element, and the bugs that its test must notice.

/** An element by its role and accessible name in the snapshot; `after` is a text that stands in an earlier line, such as the title of the
 * row. */
export interface ElementName {
  readonly role: string
  readonly name: string
  readonly after?: string
}

/** An element as an agent names it: by a ref that it finds in a snapshot, or by a selector of its own. */
export type Element = ElementName | string

export interface Field {
  readonly element: Element
  readonly value: string | boolean
}

export interface FlowCall {
  readonly tool: string
  readonly element?: Element
  readonly fields?: readonly Field[]
  readonly input?: Readonly<Record<string, unknown>>
  /** A mistake of the agent: the call must fail. */
  readonly mustFail?: boolean
}

export interface Flow {
  readonly name: string
  readonly calls: readonly FlowCall[]
}

/** A change of one source file of an application, and the flows whose visible result it changes. */
export interface Bug {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly flows: readonly string[]
}

export interface Application {
  /** The folder of its sources, beside this file in `apps`. */
  readonly name: string
  readonly framework: string
  /** The port of its server in the runs of the tests. */
  readonly port: number
  /** Values of the environment variables that tests may read. */
  readonly env: Readonly<Record<string, string>>
  readonly flows: readonly Flow[]
  readonly bugs: readonly Bug[]
}

export const named = (role: string, name: string, after?: string): ElementName => ({
  role,
  name,
  ...(after !== undefined && { after }),
})

export const open = (path: string): FlowCall => ({ tool: 'navigate', input: { url: path } })

export const click = (element: Element, input: Readonly<Record<string, unknown>> = {}): FlowCall => ({
  tool: 'click',
  element,
  input,
})

export const type = (
  element: Element,
  text: string,
  input: Readonly<Record<string, unknown>> = {},
): FlowCall => ({ tool: 'type', element, input: { text, ...input } })

export const fill = (...fields: readonly (readonly [Element, string | boolean])[]): FlowCall => ({
  tool: 'fill_form',
  fields: fields.map(([element, value]) => ({ element, value })),
})

export const select = (element: Element, ...values: readonly string[]): FlowCall => ({
  tool: 'select',
  element,
  input: { values },
})

/** Waits for a text, or for anything else that `wait_for` takes. */
export const waitFor = (
  condition: string | Readonly<Record<string, unknown>>,
  element?: Element,
): FlowCall => ({
  tool: 'wait_for',
  ...(element !== undefined && { element }),
  input: typeof condition === 'string' ? { text: condition } : condition,
})

export const failing = (call: FlowCall): FlowCall => ({
  ...call,
  input: { ...call.input, timeout: 2000 },
  mustFail: true,
})
