import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { allToolNames } from '../../../src/core/cli/commands/print-tools.ts'
import { chooseTools } from '../../../src/core/cli/options/choose-tools.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { createToolNames } from '../../../src/core/mcp/calls/tool-names.ts'
import type { Tool, ToolContext } from '../../../src/core/tool/tool.ts'
import { parseCalls } from '../../../src/features/call/call-command.ts'
import { targetToolNames } from '../../../src/features/lib/calls/check-input.ts'

const listed = chooseTools('all')
if (!listed.ok) throw new Error(listed.error)
const names = createToolNames(listed.value, 'footlight')
const parse = (words: readonly string[]) => parseCalls(words, names)

test('words become calls: a tool, and its input after it, as JSON or as key=value', () => {
  expect(parse(['navigate', '{"url":"x"}', 'snapshot', 'click', 'selector=a=b', '{"force":true}'])).toEqual({
    ok: true,
    value: [
      { tool: 'navigate', input: { url: 'x' } },
      { tool: 'snapshot', input: {} },
      { tool: 'click', input: { selector: 'a=b', force: true } },
    ],
  })
})

const inputs: readonly (readonly [words: readonly string[], input: Record<string, unknown>])[] = [
  [['click', 'selector=#a', 'clickCount=2', 'force=true'], { selector: '#a', clickCount: 2, force: true }],
  [['type', 'ref=e3', 'text=5'], { ref: 'e3', text: '5' }],
  [['type', 'ref=e3', 'text={"a":1}'], { ref: 'e3', text: '{"a":1}' }],
  [['type', 'ref=e3', 'text='], { ref: 'e3', text: '' }],
  [['select', 'ref=e3', 'values=["a","b"]'], { ref: 'e3', values: ['a', 'b'] }],
  [['create_session', 'command=npm run dev', 'port=5199'], { command: 'npm run dev', port: 5199 }],
  [['create_session', 'command=["npm","run"]'], { command: ['npm', 'run'] }],
  [['evaluate', 'script=(a) => a', 'arg=5'], { script: '(a) => a', arg: 5 }],
  [['browser_click', 'Selector=#a', 'click_count=2'], { Selector: '#a', click_count: 2 }],
]
test.each(inputs)('%j: the values have the types of their fields', (words, input) => {
  expect(parse(words)).toEqual({ ok: true, value: [{ tool: words[0] ?? '', input }] })
})

describe('mistakes are found before anything runs', () => {
  test.each<[string[], string]>([
    [[], 'the name of a tool is missing'],
    [['{"url":"x"}'], 'the name of a tool comes before its input'],
    [['url=x'], 'the name of a tool comes before its input'],
    [['navigate', '{bad'], 'the input of navigate is not JSON: {bad'],
    [
      ['navigate', 'http://127.0.0.1/'],
      '"http://127.0.0.1/" is no tool, no key=value and no JSON. Did you mean navigate url=http://127.0.0.1/?',
    ],
    [['click', '#save'], "Did you mean click 'selector=#save'?"],
    [['press_key', 'Enter'], 'Did you mean press_key key=Enter?'],
    [['navigate', 'url=/', 'clik'], 'unknown tool "clik". Did you mean "click"?'],
    [['navigate', 'clik'], 'unknown tool "clik". Did you mean "click"?'],
    [['close_session', 'everything'], 'unknown tool "everything". footlight tools lists them.'],
    [['mouse', 'action=move'], 'call: mouse: x: expected a number'],
    [['snapshot', 'navigate'], 'navigate: url: expected'],
    [['snapshot', 'navigate', 'urll=x'], 'navigate: urll: expected one of'],
    [['snapshot', 'click', 'ref=e1', 'timeout=soon'], 'click: timeout: expected'],
    [['click'], 'call: click: selector: expected selector or ref, received neither.'],
    [['snapshot', 'ref=e1', 'selector=#a'], 'snapshot: ref: expected either selector or ref, received both.'],
  ])('%j', (words, message) => {
    expect(parse(words)).toEqual({ ok: false, error: expect.stringContaining(message) })
  })

  test('of a server whose tools are not known only the form is checked', () => {
    expect(parseCalls(['other_tool', 'a=1', 'navigate'], undefined)).toEqual({
      ok: true,
      value: [
        { tool: 'other_tool', input: { a: 1 } },
        { tool: 'navigate', input: {} },
      ],
    })
    expect(parseCalls(['navigate', 'http://x/'], undefined).ok).toBe(false)
    expect(parseCalls(['mouse'], allToolNames).ok).toBe(false)
  })
})

describe('the tools that refuse a call without an element before they touch the page', () => {
  const untouchable = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(String(name))) })
  const required: Readonly<Record<string, object>> = {
    select: { values: ['a'] },
    upload_file: { paths: ['a'] },
    press_key: { key: 'Enter' },
    type: { text: 'a' },
    scroll: { deltaY: 1 },
    wait_for: { text: 'a' },
    evaluate: { script: '1' },
    touch: { action: 'tap', x: 1, y: 1 },
  }
  const takesTarget = everyTool.filter(({ input }) => 'ref' in input.entries)

  test.each(takesTarget.map((tool): [string, Tool] => [tool.name, tool]))('%s', async (name, tool) => {
    const call = tool.bind({ ...required[name] })
    if (!call.ok) throw new Error(v.summarize([...call.error] as [v.BaseIssue<unknown>]))
    const sessions = {
      runPageTool: (_: unknown, work: (...given: unknown[]) => unknown) => work(untouchable, {}, {}),
    }
    const outcome = await call.value
      .run({ caller: {}, sessions } as unknown as ToolContext)
      .catch(() => undefined)
    const isRefused =
      outcome?.ok === false && 'received' in outcome.error && outcome.error.received === 'neither'
    expect(isRefused).toBe(targetToolNames.has(name))
  })
})
