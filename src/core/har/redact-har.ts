import type { HarContent, HarEntry, HarLog } from './har-entry.ts'
import type { Redactor } from '../redaction/redactor.ts'

type HarRedactor = Pick<Redactor, 'redactData' | 'redactBase64' | 'containsDeclared'>

/** A HAR with all its texts redacted. Bodies of scripts, style sheets, images and fonts stay as they are unless they contain a value that
 * the user declared as a secret: a page does not run with a script that was changed. */
export function redactHar({ log, ...rest }: HarLog, redactor: HarRedactor): HarLog {
  const { entries, ...otherFields } = log
  return {
    ...redactor.redactData(rest),
    log: {
      ...redactor.redactData(otherFields),
      entries: entries.map((entry) => redactEntry(entry, redactor)),
    },
  }
}

// --- internal ---

const CODE_TYPES = /javascript|ecmascript|text\/css|wasm|^image\/(?!svg)|^font\/|font-woff|^audio\/|^video\//

function redactEntry({ request, response, ...rest }: HarEntry, redactor: HarRedactor): HarEntry {
  const { postData, ...otherRequestFields } = request
  const { text: body = '', ...otherPostFields } = postData ?? {}
  const { content, ...otherResponseFields } = response
  const { redactData } = redactor
  return {
    ...redactData(rest),
    request: {
      ...redactData(otherRequestFields),
      // They repeat parts of the URL and of the headers.
      ...{ cookies: [], queryString: [] },
      ...(postData && {
        postData: { ...redactData(otherPostFields), ...{ params: [] }, text: redactData({ body }).body },
      }),
    },
    response: {
      ...redactData(otherResponseFields),
      ...{ cookies: [] },
      ...(content && { content: redactContent(content, redactor) }),
    },
  }
}

function redactContent(
  content: HarContent,
  { redactData, redactBase64, containsDeclared }: HarRedactor,
): HarContent {
  const { text, ...rest } = content
  const isCode = CODE_TYPES.test(content.mimeType ?? '') && !containsDeclared(text ?? '')
  const redactBody = (body: string) =>
    content.encoding === 'base64' ? redactBase64(body) : redactData({ body }).body
  return { ...redactData(rest), ...(text !== undefined && { text: isCode ? text : redactBody(text) }) }
}
