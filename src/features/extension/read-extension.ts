// The `extension` of create_session: a folder with a manifest, whose pages the answer names.

import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { inField, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Files } from '../../core/base/files/files.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { showPageText } from '../../core/base/text/invisible-characters.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import { described, filePath } from '../../core/tool/fields.ts'

export interface UnpackedExtension {
  /** Its real path. */
  readonly folder: string
  readonly manifest: Readonly<Record<string, unknown>>
}

export const extensionFields = defineSessionFields({
  before: 'allowedDomains',
  entries: { extension: v.optional(described(filePath, 'Its folder')) },
  read({ extension: path, storageState, restore, browser }, { files }) {
    if (path === undefined) return ok({})
    if ((storageState ?? restore) !== undefined)
      return err(
        invalidParameter('extension', 'none with storageState or restore; profile keeps logins', 'both'),
      )
    return readExtension(path, browser, files).then((result) =>
      map(result, (extension) => ({
        request: { extension: extension.folder },
        describe: ({ extensionId }) =>
          extensionId === undefined ? undefined : describeExtension(extension, extensionId),
      })),
    )
  },
})

const CHROMIUM_BROWSERS: readonly unknown[] = [undefined, 'chromium', 'chrome', 'msedge']

/** Reads the manifest. INVALID_PARAMETERS if there is none, or for a browser of another engine. */
export async function readExtension(
  path: string,
  browser: unknown,
  files: Files,
): Promise<Outcome<UnpackedExtension>> {
  if (!CHROMIUM_BROWSERS.includes(browser))
    return err(
      invalidParameter('browser', 'chromium, chrome or msedge with extension', JSON.stringify(browser)),
    )
  const manifestPath = join(path, 'manifest.json')
  const realPath = await files.findRunnable(manifestPath)
  if (!realPath.ok) return err(inField(realPath.error, 'extension'))
  const bytes = await files.read(manifestPath)
  if (!bytes.ok) return err(inField(bytes.error, 'extension'))
  const manifest = parseJson(new TextDecoder().decode(bytes.value).replace(/^\uFEFF/, ''))
  return isRecord(manifest)
    ? ok({ folder: dirname(realPath.value), manifest })
    : err(
        invalidParameter(
          'extension',
          'a folder with a manifest.json',
          `${manifestPath}, which is no JSON object`,
        ),
      )
}

/** `Extension "Counter" is loaded: popup chrome-extension://…/popup.html.` */
export function describeExtension({ manifest }: UnpackedExtension, id: string): string {
  const { name, action, options_page, options_ui, side_panel, devtools_page } = manifest
  const pages = [
    ['popup', fieldOf(action, 'default_popup')],
    ['options', options_page ?? fieldOf(options_ui, 'page')],
    ['side panel', fieldOf(side_panel, 'default_path')],
    ['developer tools', devtools_page],
  ] as const
  const origin = `chrome-extension://${id}`
  const listed = pages.flatMap(([what, path]) => {
    const url = typeof path === 'string' ? parseUrl(path, `${origin}/`)?.href : undefined
    return url?.startsWith(`${origin}/`) ? [`${what} ${clip(url, URL_LIMIT_CHARS)}`] : []
  })
  const title = showPageText(clip(typeof name === 'string' ? name : '', EXTENSION_NAME_LIMIT_CHARS), 'quoted')
  return `Extension ${title} is loaded: ${listed.length > 0 ? listed.join(', ') : origin}.`
}

// --- internal ---

const EXTENSION_NAME_LIMIT_CHARS = 80
const URL_LIMIT_CHARS = 300

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
