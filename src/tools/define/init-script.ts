import type { Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { Files } from '../../runtime/ports/files.ts'

/** The source text of an init script, which is given as such or as the path of a .js file that an agent may read. */
export async function readInitScript(script: string, files: Files): Promise<Outcome<string>> {
  if (!SCRIPT_PATH.test(script)) return ok(script)
  return map(await files.read(script), (bytes) => new TextDecoder().decode(bytes))
}

/** No code ends like this without white space, quotes, brackets or a semicolon, except a property named js. */
const SCRIPT_PATH = /^[^\s;"'`(){}=]+\.[cm]?js$/
