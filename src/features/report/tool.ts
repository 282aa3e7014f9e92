import * as v from 'valibot'
import { invalidParameter } from '../../core/base/failure.ts'
import { err } from '../../core/base/result.ts'
import { defineSessionTool } from '../../core/sessions/tools/define-session-tool.ts'
import { filePath } from '../../core/tool/fields.ts'
import { addPostLine, pullRequestText } from '../lib/pull-request/add-post-line.ts'

export const report = defineSessionTool({
  name: 'report',
  title: 'Report',
  description: 'What the session did, for people: HTML (to path) and Markdown.',
  effect: 'acts',
  readsPageOutput: true,
  input: { path: v.optional(filePath) },
  output: { path: v.string(), markdown: v.string(), bytes: v.number(), pullRequest: v.optional(v.string()) },
  texts: { pullRequest: pullRequestText },
  async run({ path }, session, context) {
    if (path !== undefined && !/\.html?$/i.test(path))
      return err(invalidParameter('path', 'a path that ends with .html', JSON.stringify(path)))
    return addPostLine(await session.writeReport(path), ({ markdown }) => markdown, context)
  },
})
