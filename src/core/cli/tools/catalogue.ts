// All tools, in the order of `tools/list`: those that are listed by default, and the groups that a user adds.

import { audit } from '../../../features/audit/tool.ts'
import { compare } from '../../../features/compare/tool.ts'
import { emulate } from '../../../features/emulate/tool.ts'
import { mock } from '../../../features/mock/tool.ts'
import { pageTools } from '../../../features/page-tools/tool.ts'
import { report } from '../../../features/report/tool.ts'
import { runTest } from '../../../features/run-test/tool.ts'
import { saveTest } from '../../../features/save-test/tool.ts'
import { touch } from '../../../features/touch/tool.ts'
import { pdf, storageState, trace } from '../../../features/trace/tool.ts'
import { video } from '../../../features/video/tool.ts'
import { handover } from '../../../features/view/handover.ts'
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
import { closeSession, createSession, listSessions } from '../../sessions/tools/session.ts'
import { steps } from '../../sessions/tools/steps.ts'
import { timeline } from '../../sessions/tools/timeline.ts'
import type { Tool } from '../../sessions/tools/tool.ts'
import { snapshot } from '../../snapshot/tools/snapshot.ts'
import { waitFor } from '../../snapshot/tools/wait-for.ts'

const listedTools = {
  createSession,
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
  handover,
  report,
  runTest,
  saveTest,
  emulate,
  mock,
  storageState,
}

/** The tools that `--tools all` lists. */
export const catalogue: readonly Tool[] = Object.values(listedTools)

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

const groupedTools = { mouse, touch, trace, pdf, compare, video, audit, pageTools }

/** The groups that `--tools +GROUP` adds, by name: tools that few need, so that a model reads at most 16,000 bytes of the others. */
export const toolGroups: Readonly<Record<string, readonly Tool[]>> = Object.fromEntries(
  Object.values(groupedTools).map((tool) => [tool.name, [tool]]),
)

/** Every tool, whether it is listed by default or in a group. */
export const tools = { ...listedTools, ...groupedTools }
export const everyTool: readonly Tool[] = Object.values(tools)
