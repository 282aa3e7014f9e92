import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { map, ok } from '../../../src/core/base/result.ts'
import { chooseTools } from '../../../src/core/cli/options/choose-tools.ts'
import { defaultTools, everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import { parseCall } from '../../../src/core/mcp/calls/run-tool.ts'
import { suggestTool } from '../../../src/core/mcp/calls/serve-tools.ts'
import { createToolNames, synonyms } from '../../../src/core/mcp/calls/tool-names.ts'
import { listTool, listTools } from '../../../src/core/mcp/calls/tool-schema.ts'
import { defineTool } from '../../../src/core/tool/define-tool.ts'
import { describeFields } from '../../../src/core/tool/describe-fields.ts'
import type { Tool } from '../../../src/core/tool/tool.ts'
import { seeds } from '../../fixtures/seeds.ts'

const names = createToolNames(everyTool, 'footlight')
const resolveTool = (name: string) => names.resolve(name, {})?.tool.name

test.each([
  ['goto', 'navigate'],
  ['browser.goto', 'navigate'],
  ['browser_navigate', 'navigate'],
  ['BROWSER_NAVIGATE', 'navigate'],
  ['Navigate', 'navigate'],
  ['createSession', 'create_session'],
  ['create.session', 'create_session'],
  ['startSession', 'create_session'],
  ['endSession', 'close_session'],
  ['getSessionStatus', 'get_session_status'],
  ['waitForSelector', 'wait_for'],
  ['browser.screenshot', 'screenshot'],
  ['browser.click', 'click'],
  ['back', 'history'],
  ['browser_navigate_back', 'history'],
  ['press', 'press_key'],
])('%s means %s', (name, tool) => expect(resolveTool(name)).toBe(tool))

test('any spelling of a listed name reaches its tool', () => {
  const spelling = fc.constantFrom(...everyTool).chain((tool) =>
    fc.record({
      tool: fc.constant(tool.name),
      name: fc
        .tuple(
          fc.constantFrom('', 'browser_', 'browser.', 'Browser'),
          fc.constantFrom('_', '.', '-', ''),
          fc.boolean(),
        )
        .map(([prefix, separator, isUpperCase]) => {
          const name = prefix + tool.name.replaceAll('_', separator)
          return isUpperCase ? name.toUpperCase() : name
        }),
    }),
  )
  fc.assert(
    fc.property(spelling, ({ tool, name }) => expect(resolveTool(name)).toBe(tool)),
    { numRuns: 200 },
  )
})

test('top-level fields fold, nested data does not, and what is unknown keeps its name', () => {
  const resolved = names.resolve('navigate', { session_id: 's', URL: 'u', 'wait-until': 'load', odd_one: 1 })
  expect(resolved?.input).toEqual({ sessionId: 's', url: 'u', waitUntil: 'load', odd_one: 1 })
  expect(names.resolve('evaluate', { arg: { session_id: 1 } })?.input).toEqual({ arg: { session_id: 1 } })
})

test('every row of the table reaches a tool, and its renames and fixed values are fields of that tool', () => {
  for (const { name, tool, rename = {}, fixed = {} } of synonyms) {
    const target = everyTool.find((candidate) => candidate.name === tool)
    if (!target) throw new Error(`${name}: there is no tool ${tool}`)
    expect(resolveTool(name)).toBe(tool)
    for (const field of [...Object.values(rename), ...Object.keys(fixed)])
      expect(Object.keys(target.input.entries)).toContain(field)
  }
  const call = names.resolve('fill', { sessionId: 's', selector: '#a', value: 'x' })
  const parsedCall = call && parseInput(call.tool, call.input)
  expect(parsedCall && map(parsedCall, ({ input }) => input)).toEqual(
    ok({ sessionId: 's', selector: '#a', text: 'x', clear: true }),
  )
})

test('two meanings for one name are refused when the index is built', () => {
  const clash = defineTool({
    name: 'goTo',
    title: '',
    description: '',
    effect: 'reads',
    input: {},
    output: { a: v.string() },
    run: async () => ok({ data: { a: '' } }),
  })
  expect(() => createToolNames([...everyTool, clash], 'footlight')).toThrow('means goTo and navigate')
})

test('a tool that is not listed is named with how to add it, another name with the closest', () => {
  const coreTools = everyTool.filter(({ name }) => ['click', 'steps'].includes(name))
  const coreNames = createToolNames(coreTools, 'e2e')
  expect(suggestTool({ names: coreNames, everyTool }, 'mouse')).toBe(
    'This server was started without it: +mouse in --tools adds it.',
  )
  expect(suggestTool({ names: coreNames, everyTool }, 'browser_read-server.logs')).toContain(
    '+read_server_logs in --tools',
  )
  expect(suggestTool({ names: coreNames, everyTool }, 'clikc')).toBe('Did you mean "click"?')
  expect(suggestTool({ names: coreNames, everyTool }, 'nothing at all')).toBe('See tools/list.')
  expect(suggestTool({ names, everyTool }, 'browser_close')).toStartWith('close_session ends the session')
  expect(suggestTool({ names, everyTool }, 'browser_resize')).toContain('emulate')
  expect(suggestTool({ names, everyTool }, 'scroll')).toContain('press_key')
})

test('each dialect lists every tool once, under a name that can be called', () => {
  const namesIn = (dialect: Parameters<typeof createToolNames>[1]) =>
    everyTool.map(createToolNames(everyTool, dialect).spell)
  for (const dialect of ['footlight', 'session', 'e2e', 'browser'] as const) {
    const list = namesIn(dialect)
    expect(new Set(list).size).toBe(everyTool.length)
    expect(list.map(resolveTool)).toEqual(everyTool.map(({ name }) => name))
  }
  expect(namesIn('e2e')).toEqual(
    expect.arrayContaining(['startSession', 'endSession', 'waitForSelector', 'getSessionStatus']),
  )
  expect(namesIn('browser')).toEqual(
    expect.arrayContaining(['browser.goto', 'browser.click', 'browser.screenshot']),
  )
})

describe.each(Object.entries(seeds))('the %s seed', (dialect, tools) => {
  test('every name it lists is callable by default, and is the spelling of its own dialect', () => {
    const dialectNames = createToolNames(everyTool, dialect as keyof typeof seeds)
    for (const [name, tool] of Object.entries(tools)) {
      expect([name, resolveTool(name)]).toEqual([name, tool])
      const listedTool = everyTool.find((candidate) => candidate.name === tool)
      const normalize = (name: string) => name.toLowerCase().replaceAll('_', '')
      if (listedTool && name !== 'wait_for_selector')
        expect(normalize(dialectNames.spell(listedTool))).toBe(normalize(name))
    }
  })
})

const listingOf = (selection: string, isSessionOptional = true) => {
  const tools = chooseTools(selection)
  if (!tools.ok) throw new Error(tools.error)
  return listTools({ tools: tools.value, everyTool, names, isSessionOptional })
}

// Where sessionId is required, every tool says so.
test.each([
  [true, 12_000, 8300],
  [false, 12_500, 8500],
])(
  'what a model reads of the tools is short (no sessionId: %p; at most %p bytes by default, %p of the core)',
  (isSessionOptional, defaultLimit, coreLimit) => {
    const sizeOf = (selection: string) => {
      const listed = listingOf(selection, isSessionOptional).map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }))
      return new TextEncoder().encode(JSON.stringify(listed)).length
    }
    expect(sizeOf('default')).toBeLessThanOrEqual(defaultLimit)
    expect(sizeOf('core')).toBeLessThanOrEqual(coreLimit)
  },
)

test('each tool says that it reads or that it may destroy, as directories of servers require', () => {
  for (const { name, annotations = {} } of listingOf('all'))
    expect([name, annotations.readOnlyHint !== annotations.destructiveHint]).toEqual([name, true])
})

test('steps names every tool that is not listed, and no other', () => {
  const describeSteps = (selection: string) =>
    listingOf(selection).find(({ name }) => name === 'steps')?.description ?? ''
  const listed = listingOf('default').map(({ name }) => name)
  const others = everyTool.map(({ name }) => name).filter((name) => !listed.includes(name))
  expect(describeSteps('default')).toEndWith(`: ${others.join(', ')}.`)
  expect(others.length).toBeGreaterThan(15)
  expect(describeSteps('all')).not.toContain('unlisted')
})

test('a wrong call of a tool that the client does not see is answered with its fields and its description', () => {
  const [tool] = everyTool.filter(({ name }) => name === 'emulate')
  if (!tool) throw new Error('there is no emulate')
  const hintOf = (tools: readonly Tool[]) => {
    const call = parseCall({ tools }, tool, { dark: true })
    return call.ok ? 'accepted' : call.error.hint
  }
  expect(hintOf(defaultTools)).toContain('viewport?: {width: number, height: number}, ')
  expect(hintOf(defaultTools)).toContain('colorScheme?: light|dark|no-preference, ')
  expect(hintOf(defaultTools)).toContain('cpuThrottlingRate?: number (4: 4 times slower), ')
  expect(hintOf(defaultTools)).toEndWith(`. ${tool.description}`)
  expect(hintOf(everyTool)).toBeUndefined()
  for (const one of everyTool)
    for (const field of Object.keys(one.input.entries).filter((name) => name !== 'sessionId'))
      expect(describeFields(one)).toMatch(new RegExp(`\\b${field}\\??: `))
})

test.each([
  ['create_session', ['headless', 'device', 'storageState', 'restore', 'allowedDomains', 'initScript']],
  ['create_session', ['timeout', 'sessionTimeout', 'isolation', 'args', 'cwd', 'port', 'readyTimeout']],
  ['type', ['delay']],
  ['snapshot', ['depth']],
  ['wait_for', ['count']],
  ['storage_state', ['kind']],
  ['save_test', ['run']],
])('%s: what the names of %j do not say has a description', (name, fields) => {
  const tool = everyTool.find((candidate) => candidate.name === name)
  const { properties = {} } = tool ? listTool(tool, name, true).inputSchema : {}
  for (const field of fields) expect(properties[field]).toHaveProperty('description')
})
