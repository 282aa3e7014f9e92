import * as v from 'valibot'
import { defineKeyTool } from '../../core/tool/define-tool.ts'
import { text, timeout } from '../../core/tool/fields.ts'

const DEFAULT_TIMEOUT_MS = 300_000

export const handover = defineKeyTool({
  name: 'handover',
  title: 'Hand over',
  description: 'Let the user act: captcha, 2FA.',
  effect: 'acts',
  input: { reason: v.pipe(text(500), v.minLength(1)), timeout },
  output: {
    success: v.boolean(),
    changes: v.optional(v.string()),
    url: v.optional(v.string()),
    note: v.optional(v.string()),
  },
  run: (
    { reason, timeout: wait = DEFAULT_TIMEOUT_MS },
    sessionKey,
    { sessions, caller, foundSession: session },
  ) =>
    sessions.handOver(
      {
        ...caller,
        session,
        sessionKey,
        description: 'handover',
        timeoutKind: 'action',
        changesPage: true,
        graceMs: 0,
      },
      { reason, timeout: wait },
    ),
})
