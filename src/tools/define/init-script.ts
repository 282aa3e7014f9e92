import { inField, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Files } from '../../runtime/ports/files.ts'

/** The source text of an init script, which is given as such or as the path of a .js file that an agent may read. */
export async function readInitScript(script: string, files: Files): Promise<Outcome<string>> {
  if (!SCRIPT_PATH.test(script)) return ok(script)
  const bytes = await files.read(script)
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : err(inField(bytes.error, 'initScript'))
}

/** No code ends like this without white space, quotes, brackets or a semicolon, except a property named js. */
const SCRIPT_PATH = /^[^\s;"'`(){}=]+\.[cm]?js$/
