// What a script or a tool of a page has returned: short as it is, long as a file with its beginning.

import type { Folder } from '../../base/files/files.ts'
import type { EvalResult } from '../../sessions/types/page.ts'
import { fileFieldsOf } from '../../tool/file-fields.ts'

const INLINE_RESULT_LIMIT_CHARS = 100_000

export async function resultFieldsOf({ result, notes }: EvalResult, folder: Folder) {
  const json = JSON.stringify(result)
  const noteFields = notes.length > 0 ? { notes: [...notes] } : {}
  if (json.length <= INLINE_RESULT_LIMIT_CHARS) return { result, ...noteFields }
  const artifact = await folder.write('result.json', json)
  const previewOf = (where: string, length = 1000) =>
    `${json.slice(0, length)}… (${json.length} characters, ${where})`
  // The script has run, so a full disk is not a failure of the call.
  if (!artifact.ok)
    return { result: previewOf('no disk space for the rest', INLINE_RESULT_LIMIT_CHARS), ...noteFields }
  return { result: previewOf('complete in the file'), ...noteFields, ...fileFieldsOf(artifact.value) }
}
