import * as v from 'valibot'
import type { HarEntry } from '../../core/har/har-entry.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

const HAR_LIMIT_BYTES = 100_000_000

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

/** The entries of a HAR file; INVALID_PARAMETERS if it is none, or larger than 100 MB. */
export function parseHarFile(bytes: Uint8Array): Outcome<readonly HarEntry[]> {
  const expected = 'a HAR file (JSON) of at most 100 MB, as har: "save" writes it'
  if (bytes.length > HAR_LIMIT_BYTES) return err(invalidParameter('har', expected, `${bytes.length} bytes`))
  const result = v.safeParse(schema, parseJson(bytes))
  if (result.success) return ok(result.output.log.entries)
  const [issue] = result.issues
  return err(
    invalidParameter(
      'har',
      expected,
      `${v.getDotPath(issue) ?? 'the whole'}: ${issue.received.slice(0, 100)}`,
    ),
  )
}

// --- internal ---

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
