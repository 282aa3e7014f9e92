// get_session_status with the freshness of the page.

import * as v from 'valibot'
import { map } from '../../core/base/result.ts'
import { getSessionStatus as coreTool } from '../../core/devserver/tools/server.ts'
import { defineSessionTool } from '../../core/sessions/tools/define-session-tool.ts'
import { freshnessLineOf } from './describe-freshness.ts'

const { definition } = coreTool

export const getSessionStatus = defineSessionTool({
  ...definition,
  output: { ...definition.output, freshness: v.optional(v.string()) },
  async run(input, session, context) {
    const [status, freshness] = await Promise.all([
      definition.run(input, session, context),
      session.freshness().then(freshnessLineOf),
    ])
    return map(status, ({ data }) => ({ data: { ...data, freshness } }))
  },
})
