// Tabs in the user's own running Chrome, by a process that holds the one connection which Chrome asks its user for.

import process from 'node:process'
import * as v from 'valibot'
import { err, ok } from '../../core/base/result.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { described } from '../../core/tool/fields.ts'

export const attachFeature: Feature = {
  name: 'attach',
  after: ['remote'],
  async load() {
    const { attachDenial, findAttachConflict } = await import('./attach-conflict.ts')
    const { attachedBrowsersOf } = await import('./attached-browsers.ts')
    return {
      start: (start) => ({ attach: attachedBrowsersOf(start) }),
      sessionFields: defineSessionFields({
        before: 'httpCredentials',
        entries: { attach: v.optional(described(v.boolean(), "The user's Chrome, logged in")) },
        read(input) {
          const conflict = findAttachConflict(input)
          return conflict ? err(conflict) : ok({ request: { attach: input.attach } })
        },
      }),
      refuseSession: ({ attach }, { proxies }) =>
        attach === true && proxies.isAlwaysUsed ? attachDenial : undefined,
    }
  },
  innerCommands: {
    // What holds the connection to the user's own browser.
    async 'attach-relay'() {
      const { runRelay } = await import('./run-relay.ts')
      return {
        async run() {
          await runRelay(process.stdin, process.stdout)
          process.exit(0)
        },
      }
    },
  },
}
