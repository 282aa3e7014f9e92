import process from 'node:process'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const { FOOTLIGHT, FOOTLIGHT_URL, PROMPT } = process.env
const client = new MCPClient({
  servers: {
    footlight: FOOTLIGHT_URL ? { url: new URL(FOOTLIGHT_URL) } : { command: FOOTLIGHT, args: ['--headless'] },
  },
})
const agent = new Agent({
  id: 'tester',
  name: 'Tester',
  instructions: 'Test the page.',
  model: 'openai/gpt-5',
  tools: await client.listTools(),
})
const { text } = await agent.generate(PROMPT, { maxSteps: 20 })
console.log(text)
await client.disconnect()
