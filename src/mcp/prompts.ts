// MCP prompts, and the completion of their arguments.

import { INVALID_PARAMS, type Prompt, type Server } from '@modelcontextprotocol/server'
import { clip } from '../core/text/clip.ts'
import { LOG_PARTS } from '../core/session/resource-uri.ts'
import type { SessionManager } from '../runtime/ports/session-manager.ts'

type PromptArguments = Readonly<Record<string, string>>

interface PromptDefinition extends Prompt {
  readonly text: (input: PromptArguments) => string
}

const promptDefinitions: readonly PromptDefinition[] = [
  {
    name: 'test_app',
    title: 'Test this app',
    description: 'Start the app, test its main functions and report defects.',
    arguments: [
      { name: 'command', description: 'Start command, e.g. npm run dev', required: false },
      { name: 'url', description: 'URL, if it already runs', required: false },
      { name: 'focus', description: 'What to test first', required: false },
    ],
    text: ({ command, url, focus }) => `Test this web application with Footlight.
1. create_session${command ? ` with command ${JSON.stringify(command)}` : ''}, then navigate to ${url || 'the url in its result'}.
2. Take a snapshot. Try every main function${focus ? `, first ${focus}` : ''}: fill forms with good and bad values, follow links, go back, reload.
3. After each step read changes; check console_messages with level "warning" and network_requests with filter "failed".
4. close_session. Report each defect with the steps to see it, what you expected, what happened, and the evidence. Say what you did not test.`,
  },
  {
    name: 'write_tests',
    title: 'Write tests for this app',
    description: 'Use the app as its users do and save each flow as a Playwright test.',
    arguments: [
      { name: 'command', description: 'Start command, e.g. npm run dev', required: false },
      { name: 'flows', description: 'What to test', required: false },
    ],
    text: ({ command, flows }) => `Write Playwright tests for this web application with Footlight.
1. create_session${command ? ` with command ${JSON.stringify(command)}` : ''}, and navigate to the url in its result.
2. Go through one flow at a time${flows ? `: ${flows}` : ', the most important one first'}. After each action that matters, wait_for what a user should then see.
3. save_test with a path such as tests/NAME.spec.ts. If a step fails, use its evidence: it is a defect of the app, or depends on what was there before.
4. close_session, and begin the next flow in a new one. Read each test; run_test at the end. Report defects with their evidence.`,
  },
  {
    name: 'find_failure',
    title: 'Find out why this fails',
    description: 'Examine a session after a failure and find the cause.',
    arguments: [
      { name: 'sessionId', description: 'The session', required: true },
      { name: 'problem', description: 'What went wrong', required: false },
    ],
    text: ({
      sessionId,
      problem,
    }) => `Find out why this fails in the Footlight session ${sessionId}${problem ? `: ${problem}` : '.'}
1. timeline: the last events in time order. get_session_status: is the dev server still running?
2. console_messages with level "error"; network_requests with filter "failed", then the headers and body of what failed by its id.
3. read_server_logs with logType "stderr" if the session has a dev server.
4. snapshot and screenshot: what does the page show?
Name the first cause, not its consequences, with the lines that prove it, and say how to fix it.`,
  },
]

/** Serves the prompts; session ids and names complete from the sessions of `owner`. */
export function servePrompts(server: Server, manager: SessionManager, owner: string): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: promptDefinitions.map(({ text: _, ...prompt }) => prompt),
  }))
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = promptDefinitions.find(({ name }) => name === params.name)
    if (!prompt)
      throw createInvalidParamsError(`Unknown prompt "${clip(params.name, 100)}". See prompts/list.`)
    const input = params.arguments ?? {}
    const missing = prompt.arguments?.find(({ name, required }) => required && !input[name])
    if (missing) throw createInvalidParamsError(`The prompt ${prompt.name} needs ${missing.name}.`)
    const text = prompt.text(input)
    return {
      ...(prompt.description !== undefined && { description: prompt.description }),
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    }
  })
  server.setRequestHandler('completion/complete', async ({ params: { argument } }) => {
    const sessions = manager.list(owner).flatMap(({ id, name }) => [name, id])
    const completions = new Map<string, readonly string[]>([
      ['session', sessions],
      ['sessionId', sessions],
      ['part', [...LOG_PARTS, 'snapshot']],
      ['command', ['npm run dev', 'npm start', 'pnpm dev', 'yarn dev', 'bun run dev']],
    ])
    const values = (completions.get(argument.name) ?? []).filter((value) => value.startsWith(argument.value))
    return { completion: { values: values.slice(0, 100), total: values.length } }
  })
}

const createInvalidParamsError = (text: string): Error =>
  Object.assign(new Error(text), { code: INVALID_PARAMS })
