// One task with one server, and whether the site says that it was done.

import { countTokens } from 'gpt-tokenizer'
import type { Peer } from '../../test/support/client.ts'
import { serveSite } from '../../test/support/site.ts'
import type { Agent, Tally } from './agent.ts'
import { type CreateDriver, runTask } from './driver.ts'
import type { Task } from './task.ts'

export interface Result {
  readonly server: string
  readonly task: string
  /** Undefined if the task was not done; `problem` says why. */
  readonly tally?: Tally
  readonly problem?: string
}

/** A server or a shell that is measured. */
export interface Contender {
  readonly name: string
  readonly createDriver: CreateDriver
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
  { name, createDriver }: Contender,
  agent: Agent,
): Promise<Result> {
  const { routes, isDone } = task.create()
  const site = await serveSite(routes)
  const row = { server: name, task: task.name }
  const driver = createDriver(agent)
  try {
    let isWorkDone = false
    await runTask(task, driver, agent, site.url + task.path, async (url) => {
      isWorkDone = await isDone(url)
    })
    return isWorkDone
      ? { ...row, tally: agent.tally }
      : { ...row, problem: 'the site says that it is not done' }
  } catch (error) {
    // The next task gets a session of its own.
    await driver.close().catch(() => {})
    return { ...row, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    site.close()
  }
}
