import process from 'node:process'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'

const { FOOTLIGHT, FOOTLIGHT_URL, MODEL_URL, PROMPT } = process.env
const client = new MultiServerMCPClient({
  mcpServers: {
    footlight: FOOTLIGHT_URL
      ? { transport: 'http', url: FOOTLIGHT_URL }
      : { transport: 'stdio', command: FOOTLIGHT, args: ['--headless'] },
  },
})
const model = new ChatOpenAI({
  model: 'gpt-5',
  apiKey: 'none',
  configuration: { baseURL: `${MODEL_URL}/v1` },
})
const agent = createAgent({ model, tools: await client.getTools() })
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] })
console.log(messages.at(-1)?.content)
await client.close()
