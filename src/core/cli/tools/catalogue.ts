// All tools, in the order of `tools/list`, and those of them that are listed by default.

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
  mouse,
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

/** Of the core's tools, those that few tasks need. */
const otherToolNames: ReadonlySet<string> = new Set([
  'list_sessions',
  'get_session_status',
  'restart_server',
  'history',
  'select',
  'hover',
  'drag',
  'upload_file',
  'exists',
  'dom_snapshot',
  'timeline',
  'mouse',
])

const listed = featureParts.flatMap(({ tools = [] }) => tools)

/** The tools that `--tools default` lists: what most tasks need, at most 12,000 bytes as a model reads it. */
export const defaultTools: readonly Tool[] = [
  ...Object.values(coreTools).filter(({ name }) => !otherToolNames.has(name)),
  ...listed,
]

/** Every tool, in the order of `tools/list`. */
export const everyTool: readonly Tool[] = [
  ...Object.values(coreTools),
  ...listed,
  ...featureParts.flatMap(({ otherTools = [] }) => otherTools),
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
