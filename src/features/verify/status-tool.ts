// get_session_status with whether the page is blank.

import * as v from 'valibot'
import { map } from '../../core/base/result.ts'
import { defineSessionTool } from '../../core/sessions/tools/define-session-tool.ts'
import { getSessionStatus as freshnessTool } from '../freshness/tool.ts'

const { definition } = freshnessTool

export const getSessionStatus = defineSessionTool({
  ...definition,
  output: { ...definition.output, blank: v.optional(v.string()) },
  async run(input, session, context) {
    const [status, blank] = await Promise.all([definition.run(input, session, context), session.blank()])
    return map(status, ({ data }) => ({ data: { ...data, blank } }))
  },
})
