// One task with one server, and whether the site says that it was done.

import { countTokens } from 'gpt-tokenizer'
import { createAgent, type Agent, type Tally } from './agent.ts'
import { runTask } from './driver.ts'
import type { Server } from './servers.ts'
import type { Task } from './task.ts'
import type { Peer } from '../../test/support/client.ts'
import { serveSite } from '../../test/support/site.ts'

export interface Result {
  readonly server: string
  readonly task: string
  /** Undefined if the task was not done; `problem` says why. */
  readonly tally?: Tally
  readonly problem?: string
}

export interface Listing {
  readonly tools: Agent['tools']
  /** Tokens of the names, descriptions and input schemas. */
  readonly tokens: number
}

/** All pages of `tools/list`. */
export async function readListing({ client }: Peer): Promise<Listing> {
  const read = async (cursor?: string): Promise<Awaited<ReturnType<typeof client.listTools>>['tools']> => {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor })
    return nextCursor === undefined ? tools : [...tools, ...(await read(nextCursor))]
  }
  const tools = await read()
  const modelTools = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  return {
    tools: new Map(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []])),
    tokens: countTokens(JSON.stringify(modelTools)),
  }
}

/** Does the task on a site of its own. */
export async function measureTask(
  task: Task,
  { name, createDriver }: Server,
  peer: Peer,
  { tools }: Listing,
  cwd: string,
  report: (text: string) => void,
): Promise<Result> {
  const { routes, isDone } = task.create()
  const site = await serveSite(routes)
  const agent = createAgent(peer, tools, cwd, report)
  const row = { server: name, task: task.name }
  try {
    let isWorkDone = false
    await runTask(task, createDriver(agent), agent, site.url + task.path, async (url) => {
      isWorkDone = await isDone(url)
    })
    return isWorkDone
      ? { ...row, tally: agent.tally }
      : { ...row, problem: 'the site says that it is not done' }
  } catch (error) {
    return { ...row, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    site.close()
  }
}
