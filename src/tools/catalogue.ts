// All tools, in the order in which they are listed.

import { click, type } from './input.ts'
import { evaluate, exists, screenshot, snapshot } from './inspect.ts'
import { navigate, waitFor } from './navigation.ts'
import { getSessionStatus, readServerLogs, restartServer } from './server.ts'
import { closeSession, createSession, listSessions } from './session.ts'
import { timeline } from './timeline.ts'
import type { Tool } from './tool.ts'

export const catalogue: readonly Tool[] = [
  createSession,
  closeSession,
  listSessions,
  getSessionStatus,
  restartServer,
  readServerLogs,
  navigate,
  click,
  type,
  waitFor,
  exists,
  snapshot,
  screenshot,
  evaluate,
  timeline,
]

/** What most tasks need, for `--tools core`. */
export const core: readonly string[] = [
  'create_session',
  'close_session',
  'navigate',
  'click',
  'type',
  'wait_for',
  'snapshot',
  'screenshot',
  'evaluate',
]
