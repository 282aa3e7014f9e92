import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { isRecord, parseJson } from '../../../core/base/text/json.ts'

const DEFAULT_FOLDER = '.footlight'

/** The output folder that the environment names, as a server has it. The options themselves would load every feature. */
export function readOutputDir({ FOOTLIGHT_OUTPUT_DIR, FOOTLIGHT_CONFIG }: NodeJS.ProcessEnv): string {
  const text = FOOTLIGHT_CONFIG ? readRegularFile(FOOTLIGHT_CONFIG)?.toString('utf8') : undefined
  const config = text === undefined ? undefined : parseJson(text)
  const fromConfig = isRecord(config) ? config['outputDir'] : undefined
  return FOOTLIGHT_OUTPUT_DIR || (typeof fromConfig === 'string' && fromConfig) || DEFAULT_FOLDER
}
