import process from 'node:process'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const { FOOTLIGHT, MODEL_URL, PROMPT } = process.env
const client = new MCPClient({ servers: { footlight: { command: FOOTLIGHT, args: ['--headless'] } } })
const agent = new Agent({
  id: 'tester',
  name: 'Tester',
  instructions: 'Test the page.',
  model: { id: 'openai/gpt-5', url: `${MODEL_URL}/v1`, apiKey: 'none' },
  tools: await client.listTools(),
})
const { text } = await agent.generate(PROMPT, { maxSteps: 20 })
console.log(text)
await client.disconnect()
