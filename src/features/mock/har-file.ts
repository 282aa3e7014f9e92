import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { DocumentType, Files } from '../../core/base/files/files.ts'
import { err, ok } from '../../core/base/result.ts'
import { hasFewValues } from '../../core/base/text/json-size.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { pathOf, receivedOf } from '../../core/tool/describe-issue.ts'
import { createHarIndex, followEntry, type HarEntry, type HarQuestion } from './har.ts'
import type { HarRequest, Mock } from './mock-rule.ts'

export const HAR_LIMIT_BYTES = 20_000_000
/** Ten bytes of brackets would become a hundred of memory. */
const HAR_LIMIT_VALUES = 1_000_000
const SMALL_HAR_BYTES = 300_000
const READ_TIMEOUT_MS = 30_000

const pairs = v.optional(v.array(v.looseObject({ name: v.string(), value: v.string() })))
const schema = v.looseObject({
  log: v.looseObject({
    entries: v.array(
      v.looseObject({
        request: v.looseObject({
          method: v.string(),
          url: v.string(),
          headers: pairs,
          postData: v.optional(v.looseObject({ text: v.optional(v.string()) })),
        }),
        response: v.looseObject({
          status: v.number(),
          headers: pairs,
          content: v.optional(
            v.looseObject({
              mimeType: v.optional(v.string()),
              text: v.optional(v.string()),
              encoding: v.optional(v.string()),
            }),
          ),
        }),
      }),
    ),
  }),
})

/** The error says what is wrong with it. */
export const harFile: DocumentType<Uint8Array, HarQuestion, HarEntry | undefined, string> = {
  name: 'har',
  isKept: true,
  isSmall: ({ length }) => length <= SMALL_HAR_BYTES,
  async open(bytes) {
    if (!hasFewValues(bytes, HAR_LIMIT_VALUES)) return err(`more than ${HAR_LIMIT_VALUES} values`)
    const result = v.safeParse(schema, parseJson(new TextDecoder().decode(bytes)))
    if (result.success) return ok(createHarIndex(result.output.log.entries))
    const [issue] = result.issues
    return err(`${pathOf(issue) || 'the whole'}: ${receivedOf(issue)}`)
  },
}

/** Opens a HAR file to answer requests; INVALID_PARAMETERS if it is none, or larger than 20 MB. `redact` hides the secrets of a URL or a
 * body, as they are hidden in the file. */
export async function openHarReplay(
  bytes: Uint8Array,
  redact: (text: string) => string,
  { openDocument }: Pick<Files, 'openDocument'>,
): Promise<Outcome<Required<Pick<Mock, 'findResponse' | 'close'>>>> {
  const expected = 'a HAR file (JSON) of at most 20 MB, as har: "save" writes it'
  if (bytes.length > HAR_LIMIT_BYTES) return err(invalidParameter('har', expected, `${bytes.length} bytes`))
  const har = await openDocument(harFile, bytes, READ_TIMEOUT_MS)
  if (!har.ok) return err(invalidParameter('har', expected, har.error))
  const { ask, close } = har.value
  const askFor = ({ method, url, postData }: HarRequest) =>
    ask({ method, urls: [url, redact(url)], bodies: [postData, redact(postData)] })
  return ok({
    close,
    async findResponse(request) {
      for (let current = request, redirectCount = 0; ; redirectCount += 1) {
        const entry = await askFor(current)
        if (!entry) return undefined
        const step = followEntry(entry, current, redirectCount)
        if ('response' in step) return step.response
        current = step.next
      }
    },
  })
}
