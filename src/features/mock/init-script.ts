// The `initScript` of create_session.

import * as v from 'valibot'
import { inField, type Outcome } from '../../core/base/failure.ts'
import type { Files } from '../../core/base/files/files.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import { anyText, described } from '../../core/tool/fields.ts'

export const initScriptFields = defineSessionFields({
  before: 'timeout',
  entries: {
    initScript: v.optional(
      described(v.pipe(anyText(1_000_000), v.minLength(1)), 'Code or .js file, run on pages'),
    ),
  },
  unrepeated: ['initScript'],
  read: ({ initScript: script }, { files }) =>
    script === undefined
      ? ok({})
      : readInitScript(script, files).then((result) =>
          map(result, (initScript) => ({ request: { initScript } })),
        ),
})

/** The source text of an init script, which is given as such or as the path of a .js file that an agent may read. */
export async function readInitScript(script: string, files: Files): Promise<Outcome<string>> {
  if (!SCRIPT_PATH.test(script)) return ok(script)
  const file = await files.findRunnable(script)
  const bytes = file.ok ? await files.read(script) : file
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : err(inField(bytes.error, 'initScript'))
}

/** No code ends like this without white space, quotes, brackets or a semicolon, except a property named js. */
const SCRIPT_PATH = /^[^\s;"'`(){}=]+\.[cm]?js$/
