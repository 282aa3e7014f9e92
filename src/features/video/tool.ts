import * as v from 'valibot'
import { invalidParameter } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import { omit } from '../../core/tool/field-texts.ts'
import { filePath } from '../../core/tool/fields.ts'
import { addPostLine, pullRequestText } from '../lib/pull-request/add-post-line.ts'

export const video = definePageTool({
  name: 'video',
  title: 'Video',
  description:
    'Record the session as a WebM, with the mouse and a caption for each action. stop writes it (to path) and returns a contact sheet.',
  effect: 'acts',
  isSilent: true,
  showsImage: true,
  timeoutKind: 'navigation',
  input: { action: v.picklist(['start', 'stop']), path: v.optional(filePath) },
  output: {
    success: v.boolean(),
    message: v.string(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
    sheet: v.optional(v.string()),
    bytes: v.optional(v.number()),
    duration: v.optional(v.number()),
    notes: v.optional(v.array(v.string())),
    pullRequest: v.optional(v.string()),
  },
  texts: { duration: omit, pullRequest: pullRequestText },
  async run({ action, path }, _, __, context) {
    const { session } = context
    if (path !== undefined && action === 'start')
      return err(invalidParameter('path', 'a path with action stop', 'one with action start'))
    if (path !== undefined && !/\.webm$/i.test(path))
      return err(invalidParameter('path', 'a path that ends with .webm', JSON.stringify(path)))
    if (action === 'start') {
      const result = await session.video.start()
      return result.ok ? ok({ data: { success: true, message: 'Recording.' } }) : result
    }
    const result = await session.video.stop(path)
    if (!result.ok) return result
    const { sheet, sheetPath, note, ...file } = result.value
    const data = {
      success: true,
      message: `Recorded ${(file.duration / 1000).toFixed(1)} s.`,
      ...file,
      sheet: sheetPath,
      ...(note !== undefined && { notes: [note] }),
    }
    const posted = await addPostLine(ok(data), () => file.path, context)
    return map(posted, (answer) => ({ ...answer, images: sheet && [sheet] }))
  },
})
