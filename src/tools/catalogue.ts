// All tools, in the order of `tools/list`: those that are listed by default, and the groups that a user adds.

import { audit } from './audit.ts'
import { compare } from './compare.ts'
import { consoleMessages, networkRequests } from './console-and-network.ts'
import { domSnapshot, getContent } from './content.ts'
import type { Tool } from './define/tool.ts'
import { emulate } from './emulate.ts'
import { pdf, storageState, trace } from './files.ts'
import { fillForm, select, uploadFile } from './form.ts'
import { handover } from './handover.ts'
import { click, type } from './input.ts'
import { evaluate, exists } from './inspect.ts'
import { mock } from './mock.ts'
import { history, navigate } from './navigation.ts'
import { pageTools } from './page-tools.ts'
import { drag, hover, mouse, pressKey } from './pointer.ts'
import { report } from './report.ts'
import { runTest } from './run-test.ts'
import { saveTest } from './save-test.ts'
import { screenshot } from './screenshot.ts'
import { readServerLogs } from './server-logs.ts'
import { getSessionStatus, restartServer } from './server.ts'
import { closeSession, createSession, listSessions } from './session.ts'
import { snapshot } from './snapshot.ts'
import { steps } from './steps.ts'
import { handleDialog, tabs } from './tabs.ts'
import { timeline } from './timeline.ts'
import { touch } from './touch.ts'
import { video } from './video.ts'
import { waitFor } from './wait-for.ts'

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
