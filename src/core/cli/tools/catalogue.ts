// All tools, in the order of `tools/list`: those that are listed by default, and the groups that a user adds.

import { features } from '../../../features/index.ts'
import { domSnapshot, getContent } from '../../browser/tools/content.ts'
import { fillForm, select, uploadFile } from '../../browser/tools/form.ts'
import { click, type } from '../../browser/tools/input.ts'
import { evaluate, exists } from '../../browser/tools/inspect.ts'
import { history, navigate } from '../../browser/tools/navigation.ts'
import { drag, hover, mouse, pressKey } from '../../browser/tools/pointer.ts'
import { screenshot } from '../../browser/tools/screenshot.ts'
import { handleDialog, tabs } from '../../browser/tools/tabs.ts'
import { readServerLogs } from '../../devserver/tools/server-logs.ts'
import { getSessionStatus, restartServer } from '../../devserver/tools/server.ts'
import { consoleMessages, networkRequests } from '../../sessions/tools/console-and-network.ts'
import { closeSession, defineCreateSession, listSessions } from '../../sessions/tools/session.ts'
import { steps } from '../../sessions/tools/steps.ts'
import { timeline } from '../../sessions/tools/timeline.ts'
import { snapshot } from '../../snapshot/tools/snapshot.ts'
import { waitFor } from '../../snapshot/tools/wait-for.ts'
import type { Tool } from '../../tool/tool.ts'

/** What the features have for a server, in their order. */
export const featureParts = await Promise.all(features.flatMap(({ load }) => load?.() ?? []))

const ownTools = {
  createSession: defineCreateSession(featureParts.flatMap(({ sessionFields }) => sessionFields ?? [])),
  closeSession,
  listSessions,
  getSessionStatus,
  restartServer,
  readServerLogs,
  steps,
  navigate,
  history,
  click,
  type,
  select,
  fillForm,
  hover,
  drag,
  pressKey,
  uploadFile,
  handleDialog,
  tabs,
  waitFor,
  exists,
  getContent,
  snapshot,
  domSnapshot,
  screenshot,
  evaluate,
  consoleMessages,
  networkRequests,
  timeline,
}

const extended = new Map(
  featureParts.flatMap((parts) => parts.extended ?? []).map((tool) => [tool.name, tool]),
)

/** The tools of the core, by the names of their constants, with what features add to them. */
export const coreTools = Object.fromEntries(
  Object.entries(ownTools).map(([key, tool]) => [key, extended.get(tool.name) ?? tool]),
) as Readonly<Record<keyof typeof ownTools, Tool>>

/** The tools that `--tools all` lists. */
export const catalogue: readonly Tool[] = [
  ...Object.values(coreTools),
  ...featureParts.flatMap(({ tools = [] }) => tools),
]

/** The names of the tools that `--tools core` lists. */
export const coreToolNames: readonly string[] = [
  'create_session',
  'close_session',
  'steps',
  'navigate',
  'click',
  'type',
  'fill_form',
  'press_key',
  'handle_dialog',
  'wait_for',
  'snapshot',
  'screenshot',
  'evaluate',
]

/** The groups that `--tools +GROUP` adds, by name: tools that few need, so that a model reads at most 16,000 bytes of the others. */
export const toolGroups: Readonly<Record<string, readonly Tool[]>> = {
  mouse: [mouse],
  ...Object.assign({}, ...featureParts.map(({ groups }) => groups)),
}

/** Every tool, whether it is listed by default or in a group. */
export const everyTool: readonly Tool[] = [...catalogue, ...Object.values(toolGroups).flat()]
