import { expect, test } from 'bun:test'
import { runs } from './runs.ts'
import type { App } from './app.ts'

/** Bytes of `changes` that opening and closing may cost. */
const MOST = 400

interface Widget {
  readonly name: string
  /** Its control, as the tree has it. */
  readonly control: RegExp
  /** What shows that it is open. */
  readonly part: RegExp
  /** The ways to close it. */
  readonly choose: string
}

const widgets: readonly Widget[] = [
  { name: 'MUI Select', control: /combobox "Size/, part: /"Medium"/, choose: 'Medium' },
  { name: 'Radix Dialog', control: /button "Edit profile"/, part: /button "Done"/, choose: 'Done' },
  { name: 'Headless UI Listbox', control: /button "Colour/, part: /"Green"/, choose: 'Green' },
  { name: 'antd DatePicker', control: /textbox "Day/, part: /\d × (grid)?cell/, choose: '20' },
]

runs(
  {
    name: 'widgets',
    command: 'npm run dev',
    origin: 'http://localhost:5322',
    source: 'src/app.jsx',
    syntax: /Expected|Unexpected/,
    missing: /Failed to resolve import .{0,3}\.\/missing-module/,
  },
  (app) => {
    test.each([...widgets])(
      '$name: opening and closing tell at most 400 bytes, and refs stay',
      (widget) => opensAndCloses(app(), widget),
      100_000,
    )
    test('a card of dnd-kit, which wants a press of 150 ms first, is dragged', () => drags(app()), 100_000)
    test(
      'an Autocomplete of MUI, named by its wrapper, is set to several values',
      () => chooses(app()),
      100_000,
    )
    test('Monaco takes what is typed', () => typesCode(app()), 100_000)
  },
)

async function opensAndCloses({ call, open }: App, { control, part, choose }: Widget): Promise<void> {
  await open()
  const { snapshot } = (await call('snapshot', { maxChars: 50_000 })).data
  const counter = refIn(snapshot, /button "Count: 0"/)
  const opened = (await call('click', { ref: refIn(snapshot, control) })).data
  expect(opened.changes).toMatch(part)
  expect(Buffer.byteLength(opened.changes)).toBeLessThanOrEqual(MOST)
  expect((await call('exists', { ref: counter })).data).toMatchObject({ exists: true })
  const whole = (await call('snapshot', { maxChars: 50_000 })).data.snapshot
  const closed = (await call('click', { ref: refIn(whole, new RegExp(`"${choose}"`)) })).data
  expect(closed).toMatchObject({ success: true })
  expect(Buffer.byteLength(closed.changes)).toBeLessThanOrEqual(MOST)
  const clicked = (await call('click', { ref: counter })).data
  expect(clicked).toMatchObject({ success: true, changes: expect.stringContaining('Count: 1') })
}

function refIn(snapshot: string, line: RegExp): string {
  const found = snapshot.split('\n').find((one) => line.test(one)) ?? ''
  const ref = /\[((?:f\d+)?e\d+)\]/.exec(found)?.[1]
  if (ref === undefined) throw new Error(`no ref at ${line}: ${snapshot}`)
  return ref
}

async function drags({ call, open }: App): Promise<void> {
  await open()
  const card = (name: string) => `.card:text-is("${name}")`
  expect((await call('drag', { selector: card('Plan'), toSelector: card('Test') })).data.success).toBe(true)
  const script = `[...document.querySelectorAll('.card')].map((card) => card.textContent)`
  expect((await call('evaluate', { script })).data.result).toEqual(['Build', 'Test', 'Plan'])
}

async function chooses({ call, open }: App): Promise<void> {
  await open()
  for (const values of [['Apple', 'Cherry'], ['Plum'], ['Banana', 'Cherry', 'Plum']]) {
    const { data } = await call('select', { selector: '.fruits', values })
    expect(data).toMatchObject({ success: true, selected: values })
    expect((await call('get_content', { selector: '#chosen', format: 'text' })).data.content).toBe(
      values.join(),
    )
  }
}

async function typesCode({ call, open }: App): Promise<void> {
  await open()
  const typed = await call('type', { selector: '#editor', text: 'let b = 2', clear: true })
  expect(typed.data).toMatchObject({ success: true })
  expect((await call('get_content', { selector: '#code', format: 'text' })).data.content).toContain(
    'let b = 2',
  )
}
