import process from 'node:process'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs } from 'ai'

const { FOOTLIGHT, FOOTLIGHT_URL, MODEL_URL, PROMPT } = process.env
const client = await createMCPClient({
  transport: FOOTLIGHT_URL
    ? { type: 'http', url: FOOTLIGHT_URL }
    : new StdioTransport({ command: FOOTLIGHT, args: ['--headless'] }),
})
const openai = createOpenAI({ baseURL: `${MODEL_URL}/v1`, apiKey: 'none' })
const { text } = await generateText({
  model: openai('gpt-5'),
  tools: await client.tools(),
  stopWhen: stepCountIs(20),
  prompt: PROMPT,
})
console.log(text)
await client.close()
