import process from 'node:process'
import { Agent, MCPServerStdio, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'

const { FOOTLIGHT, FOOTLIGHT_URL, PROMPT } = process.env
setTracingDisabled(true)
const server = FOOTLIGHT_URL
  ? new MCPServerStreamableHttp({ name: 'footlight', url: FOOTLIGHT_URL })
  : new MCPServerStdio({ name: 'footlight', command: FOOTLIGHT, args: ['--headless'] })
await server.connect()
const agent = new Agent({ name: 'Tester', model: 'gpt-5', mcpServers: [server] })
const { finalOutput } = await run(agent, PROMPT, { maxTurns: 20 })
console.log(finalOutput)
await server.close()
