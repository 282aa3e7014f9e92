// The server that the conformance suite expects to meet: names, texts and schemas are the suite's, so they stay as they are.

import {
  type CallToolResult,
  type ContentBlock,
  type ElicitRequestFormParams,
  INVALID_PARAMS,
  type Prompt,
  type Resource,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { createResourceError } from '../../../src/core/mcp/calls/era.ts'
import { getPromptWithInput, modernTools } from './modern-fixtures.ts'

export function createFixtures(): Server {
  const server = new Server(
    { name: 'footlight-conformance', version: '1' },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
    },
  )
  serveTools(server)
  serveResources(server)
  servePrompts(server)
  return server
}

// --- internal ---

const text = (said: string): ContentBlock => ({ type: 'text', text: said })
// One pixel, and four samples of silence.
const image = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4fzcNAAUhAkPlbNq4AAAAAElFTkSuQmCC',
} satisfies ContentBlock
const audio = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA',
} satisfies ContentBlock
const embedded = (uri: string, mimeType: string, said: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: said },
})

interface Call {
  readonly server: Server
  readonly given: Readonly<Record<string, unknown>>
  readonly context: ServerContext
}

interface Fixture {
  readonly description: string
  readonly inputSchema?: Tool['inputSchema']
  readonly run: (call: Call) => ContentBlock[] | Promise<ContentBlock[]>
}

const needs = (name: string): Tool['inputSchema'] => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})

const tools: Readonly<Record<string, Fixture>> = {
  test_simple_text: {
    description: 'Answers text',
    run: () => [text('This is a simple text response for testing.')],
  },
  test_image_content: { description: 'Answers an image', run: () => [image] },
  test_audio_content: { description: 'Answers a sound', run: () => [audio] },
  test_embedded_resource: {
    description: 'Answers a resource',
    run: () => [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    description: 'Answers text, an image and a resource',
    run: () => [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_tool_with_logging: {
    description: 'Logs while it runs',
    async run({ context }) {
      const log = (data: string) =>
        context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await log('Tool execution started')
      await Bun.sleep(50)
      await log('Tool processing data')
      await Bun.sleep(50)
      await log('Tool execution completed')
      return [text('Logged three times.')]
    },
  },
  test_tool_with_progress: {
    description: 'Tells how far it is while it runs',
    async run({ context }) {
      const progressToken = context.mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await Bun.sleep(50)
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          })
      }
      return [text('Told how far it is.')]
    },
  },
  test_error_handling: {
    description: 'Fails',
    run() {
      throw new Error('This tool intentionally returns an error for testing')
    },
  },
  test_reconnection: {
    description: 'Drops its stream, and answers on the one that the client opens after that',
    async run({ context }) {
      context.http?.closeSSE?.()
      await Bun.sleep(100)
      return [text('Answered after the stream was dropped.')]
    },
  },
  test_sampling: {
    description: "Asks the client's model",
    inputSchema: needs('prompt'),
    async run({ server, given, context }) {
      const content = { type: 'text' as const, text: String(given['prompt']) }
      const answer = await server.createMessage(
        { messages: [{ role: 'user', content }], maxTokens: 100 },
        { relatedRequestId: context.mcpReq.id },
      )
      return [text(`LLM response: ${answer.content.type === 'text' ? answer.content.text : ''}`)]
    },
  },
  test_elicitation: {
    description: "Asks the client's user",
    inputSchema: needs('message'),
    run: (call) =>
      ask(call, String(call.given['message']), {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      }),
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks the client's user in a form with defaults",
    run: (call) =>
      ask(call, 'A form with defaults', {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: "Asks the client's user in a form with every kind of choice",
    run: (call) =>
      ask(call, 'A form with choices', {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: {
            type: 'array',
            items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
      }),
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with a dialect and definitions',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: ({ given }) => [text(JSON.stringify(given))],
  },
}

const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }))

type Form = ElicitRequestFormParams['requestedSchema']

async function ask(
  { server, context }: Call,
  message: string,
  requestedSchema: Form,
): Promise<ContentBlock[]> {
  const { action, content } = await server.elicitInput(
    { mode: 'form', message, requestedSchema },
    { relatedRequestId: context.mcpReq.id },
  )
  return [text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)]
}

const emptyInput: Tool['inputSchema'] = { type: 'object' }

function serveTools(server: Server): void {
  server.setRequestHandler('tools/list', async () => ({
    tools: [
      ...Object.entries(tools).map(([name, { description, inputSchema = emptyInput }]) => ({
        name,
        description,
        inputSchema,
      })),
      ...Object.keys(modernTools).map((name) => ({ name, description: name, inputSchema: emptyInput })),
    ],
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const modernTool = modernTools[params.name]
    if (modernTool) return modernTool(context)
    const tool = tools[params.name]
    if (!tool) throw invalid(`no tool ${params.name}`)
    try {
      return {
        content: await tool.run({ server, given: params.arguments ?? {}, context }),
      } satisfies CallToolResult
    } catch (error) {
      return { isError: true, content: [text(error instanceof Error ? error.message : String(error))] }
    }
  })
}

const resources: readonly Resource[] = [
  { uri: 'test://static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', mimeType: 'text/plain' },
].map(({ uri, mimeType }) => ({ uri, name: uri.slice(7), description: `The ${uri.slice(7)}`, mimeType }))

function serveResources(server: Server): void {
  server.setRequestHandler('resources/list', async () => ({ resources: [...resources] }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    if (id !== undefined) {
      const said = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: said }] }
    }
    const mimeType = resources.find((one) => one.uri === uri)?.mimeType
    if (mimeType === undefined) throw createResourceError(`no resource ${uri}`, uri)
    return {
      contents: [
        mimeType === 'image/png'
          ? { uri, mimeType, blob: image.data }
          : { uri, mimeType, text: `The content of ${uri}.` },
      ],
    }
  })
  server.setRequestHandler('resources/subscribe', async () => ({}))
  server.setRequestHandler('resources/unsubscribe', async () => ({}))
}

interface Row extends Prompt {
  readonly content: (given: Readonly<Record<string, string>>) => ContentBlock[]
}

const prompts: readonly Row[] = [
  {
    name: 'test_simple_prompt',
    description: 'Takes nothing',
    content: () => [text('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Takes two arguments',
    arguments: ['arg1', 'arg2'].map((name) => ({ name, description: `The ${name}`, required: true })),
    content: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource',
    arguments: [{ name: 'resourceUri', description: 'Its uri', required: true }],
    content: ({ resourceUri = '' }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'Holds an image',
    content: () => [image, text('Please analyze the image above.')],
  },
]

const promptWithInput = 'test_input_required_result_prompt'

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: [
      ...prompts.map(({ content: _, ...prompt }) => prompt),
      { name: promptWithInput, description: 'Asks for its context' },
    ],
  }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    if (params.name === promptWithInput) return getPromptWithInput(context)
    const row = prompts.find(({ name }) => name === params.name)
    if (!row) throw invalid(`no prompt ${params.name}`)
    const content = row.content(params.arguments ?? {})
    return { messages: content.map((one) => ({ role: 'user' as const, content: one })) }
  })
  server.setRequestHandler('completion/complete', async ({ params: { argument } }) => {
    const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}

const invalid = (why: string): Error => Object.assign(new Error(why), { code: INVALID_PARAMS })
