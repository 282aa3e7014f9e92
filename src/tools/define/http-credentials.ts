import * as v from 'valibot'
import { text } from './fields.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import { err, map } from '../../core/result.ts'
import { fillPlaceholders, type Secrets } from '../../core/text/secret-placeholders.ts'
import type { HttpCredentials } from '../../runtime/ports/browsers.ts'

const schema = v.strictObject({
  username: text(500),
  password: v.pipe(text(2000), v.minLength(1)),
  origin: v.optional(text(2000)),
})

/** The `httpCredentials` of create_session. INVALID_PARAMETERS contains no values, and names `origin` if nothing determines it. */
export function parseHttpCredentials(
  input: unknown,
  hasServer: boolean,
  secrets: Secrets,
): Outcome<HttpCredentials> {
  const parseResult = v.safeParse(schema, input)
  if (!parseResult.success) {
    const field = ['httpCredentials', v.getDotPath(parseResult.issues[0])].filter(Boolean).join('.')
    return err(invalidParameter(field, 'username, password and perhaps origin, as strings', 'something else'))
  }
  const { username, password, origin } = parseResult.output
  const url = origin === undefined ? undefined : parseUrl(origin)
  if (origin === undefined ? !hasServer : !url || !/^https?:$/.test(url.protocol)) {
    const expected = 'the http or https origin that gets them, such as https://staging.example.com'
    return err(invalidParameter('httpCredentials.origin', expected, url ? url.protocol : 'nothing'))
  }
  const filledPassword = fillPlaceholders(password, secrets, 'httpCredentials.password')
  return map(filledPassword, (secret) => ({
    username,
    password: secret,
    ...(url && { origin: url.origin }),
  }))
}
