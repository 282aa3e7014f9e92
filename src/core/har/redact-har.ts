import type { HarEntry, HarLog } from './har-entry.ts'

type RedactData = <T>(value: T) => T

/** A HAR with redacted URLs, headers and bodies. Scripts, style sheets, images and fonts stay as they are unless they contain a value that
 * the user declared as a secret: a page does not run with a script that was changed. */
export function redactHar(
  { log, ...rest }: HarLog,
  redact: RedactData,
  containsDeclared: (text: string) => boolean,
): HarLog {
  const entries = log.entries.map((entry) => redactEntry(entry, redact, containsDeclared))
  return { ...rest, log: { ...log, entries } }
}

// --- internal ---

const CODE_TYPES = /javascript|ecmascript|text\/css|wasm|^image\/(?!svg)|^font\/|font-woff|^audio\/|^video\//

function redactEntry(
  { request, response, ...rest }: HarEntry,
  redact: RedactData,
  containsDeclared: (text: string) => boolean,
): HarEntry {
  const { url, headers = [], postData, ...otherRequestFields } = request
  const { headers: responseHeaders = [], content, ...otherResponseFields } = response
  const redactBody = (body: string) => redact({ body }).body
  const isCode = CODE_TYPES.test(content?.mimeType ?? '') && !containsDeclared(content?.text ?? '')
  return {
    ...rest,
    request: {
      ...otherRequestFields,
      url: redact(url),
      ...redact({ headers }),
      // They repeat parts of the URL and of the headers.
      ...{ cookies: [], queryString: [] },
      ...(postData && {
        postData: { ...postData, ...{ params: [] }, text: redactBody(postData.text ?? '') },
      }),
    },
    response: {
      ...otherResponseFields,
      ...{ cookies: [], redirectURL: redact((response as { redirectURL?: string }).redirectURL ?? '') },
      ...redact({ headers: responseHeaders }),
      ...(content && {
        content:
          isCode || content.text === undefined ? content : { ...content, text: redactBody(content.text) },
      }),
    },
  }
}
