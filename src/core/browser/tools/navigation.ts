import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import type { NavigationResult } from '../../base/action.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { text, timeout, URL_LIMIT_CHARS } from '../../tool/fields.ts'

const navigationOutput = {
  success: v.boolean(),
  title: v.string(),
  url: v.string(),
  status: v.number(),
  awaiting: v.optional(v.array(v.string())),
  serverOutput: v.optional(v.array(v.string())),
  notes: v.optional(v.array(v.string())),
}

// Of a page that asks for a name and a password.
const fieldsOf = ({ asksCredentials, ...location }: NavigationResult) => ({
  success: true,
  ...location,
  ...(asksCredentials && {
    notes: ['The server asks for HTTP credentials: pass httpCredentials to create_session.'],
  }),
})

export const navigate = definePageTool({
  name: 'navigate',
  title: 'Navigate',
  description: 'Load a URL, or a path of the dev server.',
  effect: 'acts',
  timeoutKind: 'navigation',
  changesPage: true,
  input: {
    url: text(URL_LIMIT_CHARS),
    waitUntil: v.optional(v.picklist(['load', 'domcontentloaded', 'networkidle', 'commit'])),
    timeout,
  },
  output: navigationOutput,
  opensUrl: ({ url }) => url,
  run: async ({ url, waitUntil = 'load' }, page, deadline) =>
    answer(await page.perform({ kind: 'navigate', url, waitUntil }, deadline), fieldsOf),
})

export const history = definePageTool({
  name: 'history',
  title: 'History',
  description: 'Go back, forward, or reload.',
  effect: 'acts',
  timeoutKind: 'navigation',
  changesPage: true,
  input: { direction: v.picklist(['back', 'forward', 'reload']), timeout },
  output: navigationOutput,
  run: async ({ direction }, page, deadline) =>
    answer(await page.perform({ kind: 'history', direction }, deadline), fieldsOf),
})
