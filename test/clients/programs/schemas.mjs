// Gives the listed tools to the converters of the SDKs of model APIs. Prints one line for each tool that a converter refuses or changes into
// something else than a function; requests go to a server on loopback.

import { createServer } from 'node:http'
import process from 'node:process'
import { GoogleGenAI } from '@google/genai'
import { getAllMcpTools, MCPServerStdio } from '@openai/agents-core'

const problems = []
const bodies = []
const api = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  bodies.push(JSON.parse(text))
  response.setHeader('content-type', 'application/json')
  response.end('{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]}}]}')
})
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve))
const google = new GoogleGenAI({
  apiKey: 'none',
  httpOptions: { baseUrl: `http://127.0.0.1:${api.address().port}` },
})
const server = new MCPServerStdio({ command: process.env.FOOTLIGHT, args: JSON.parse(process.env.ARGS) })
await server.connect()
const tools = await server.listTools()
const listed = tools.map(({ name }) => name).toSorted()
if (listed.join() !== process.env.TOOLS) problems.push(`listed are ${listed}, not ${process.env.TOOLS}`)

for (const { name, description, inputSchema } of tools)
  for (const field of ['parameters', 'parametersJsonSchema'])
    try {
      const functionDeclarations = [{ name, description, [field]: structuredClone(inputSchema) }]
      await google.models.generateContent({
        model: 'gemini-2.5-flash',
        contents: 'x',
        config: { tools: [{ functionDeclarations }] },
      })
    } catch (error) {
      problems.push(`@google/genai ${field} of ${name}: ${error.message}`)
    }
const declared = bodies.flatMap(({ tools: [{ functionDeclarations }] }) => functionDeclarations)
if (declared.length !== 2 * tools.length) problems.push(`@google/genai sent ${declared.length} functions`)
if (JSON.stringify(declared).includes('TYPE_UNSPECIFIED')) problems.push('@google/genai does not know a type')

for (const convertSchemasToStrict of [false, true]) {
  const functions = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict })
  if (functions.length !== tools.length) problems.push(`@openai/agents made ${functions.length} functions`)
  // A map of any names, or nothing at all, has no strict form; the SDK then sends the schema as it is.
  const loose = functions.filter(({ strict }) => convertSchemasToStrict && !strict).map(({ name }) => name)
  const known = process.env.LOOSE_TOOLS.split(',')
  for (const name of loose)
    if (!known.includes(name)) problems.push(`@openai/agents: ${name} has no strict form`)
}
await server.close()
api.close()
for (const problem of problems) console.log(problem)
console.log(`${tools.length} tools given to 2 SDKs, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
