// Classifies names. `secret`: the value is always hidden. `weak`: it is hidden only if it looks like a secret.

export type NameLevel = 'secret' | 'weak' | 'plain'

/** Whether the name means that its value is a secret: it ends with such a word, like DB_PASSWORD and user[newPassword], unlike
 * passwordHint. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(-120)
    .replace(/%5[bd]/gi, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/(?<=[a-z]{3})\d+$/, ''))
    .filter((word) => word !== '')
  const nonSecretPrefix =
    /^(forgot|forgotten|show|hide|toggle|change|reset|has|is|no|require|requires|required|needs|missing|invalid|wrong|incorrect|bad|min|max|allow|with|without)$/
  if (words.length > 1 && nonSecretPrefix.test(words[0] ?? '')) return false
  const qualifier =
    /^(\d+|confirm|confirmation|confirmed|again|repeat|repeated|retype|verify|new|old|current|value|raw|plain|input|field|base|prod|production|dev|staging|live|test)$/
  while (words.length > 1 && qualifier.test(words.at(-1) ?? '')) words.pop()
  const lastWord = words.at(-1) ?? ''
  const lastWords = words.slice(-3).join('')
  const secretCompound =
    /(passwords?|passwort|kennwort|contrasena|passwd|passphrase|passcode|secrets?|apikeys?|apitoken|privatekey|secretkey|secretaccesskey|signingkey|encryptionkey|masterkey|clientsecret|accesstoken|refreshtoken|idtoken|csrftoken|xsrftoken|csrfmiddlewaretoken|authenticitytoken|verificationtoken|onetimecode|onetimepassword|otpcode)$/
  const secretWord = /^(pwd|pswd|otp|totp|cvv|cvc|cvn|csc|cvvcode|cvccode|csrf|xsrf|credentials?|jwt)$/
  if (secretCompound.test(lastWord) || secretCompound.test(lastWords) || secretWord.test(lastWord))
    return true
  return (
    words.length > 1 && (lastWord === 'pass' || /^(smtp|db|mysql|ftp|user|root|admin)pass$/.test(lastWords))
  )
}

/** Whether the label of a field says that its value is a secret: `Your password (at least 8 characters) *`. */
export const isSecretLabel = (label: string): boolean =>
  anyNamePart.test(label) &&
  isSecretName(label.replace(/\([^()]{0,80}\)/g, ' ').replace(/[^\p{L}\p{N}]{1,20}$/u, ''))

/** The name's level. `PHPSESSID`, `connect.sid` and `authToken` are weak. */
export function levelOfName(name: string): NameLevel {
  if (!anyNamePart.test(name)) return 'plain'
  if (isSecretName(name)) return 'secret'
  return isWeakName(name) ? 'weak' : 'plain'
}

/** Matches the places of a text that may have the name of a secret; cheaper than parsing every name. */
export const createNamePattern = (): RegExp =>
  new RegExp(`${anyNamePart.source}|["'](?:name|field|value)`, 'gi')

/** Whether a long hexadecimal number under this name is a secret and not a hash. */
export const isSessionTokenName = (name: string): boolean => sessionTokenPart.test(name)

/** Whether this name means that the pairs around it belong to an OAuth exchange. */
export const isOauthName = (name: string): boolean =>
  /^(client_id|redirect_uri|code_verifier|grant_type)$/.test(name)

/** Whether the value of this weak name is always hidden in an OAuth exchange. */
export const isOauthSecret = (name: string): boolean =>
  isWeakName(name) && !/(type|method|hint|uri|url|endpoint|name|count|expires|scope)$/i.test(name)

/** The attributes of a form field. */
export interface FieldDescription {
  readonly type: string
  readonly name: string
  readonly id: string
  readonly autocomplete: string
}

export function isSecretField({ type, name, id, autocomplete }: FieldDescription): boolean {
  if (/^(checkbox|radio|button|submit|reset|image|file|range|color)$/.test(type)) return false
  if (type === 'password') return true
  // new-password is not included: sites set it on ordinary fields to prevent autofill.
  if (/(^|\s)(one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year)$/.test(autocomplete))
    return true
  const secretLabel =
    /(^|[^a-z])(pin|one-?time|ssn)([^a-z]|$)|(card|cc)[-_ ]?(num|number|nr)$|security[-_ ]?code|^cc-?csc$/i
  return [name, id].some((label) => label !== '' && (isSecretName(label) || secretLabel.test(label)))
}

const anyNamePart =
  /pass|pwd|pswd|kennwort|contrasena|secret|token|key|code|stat|sess|sid|auth|sig|ticket|nonce|pin|otp|cv[vcn]|csc|cred|[cx]srf|jwt|assert|saml|hmac|connection|once?time/i

const weakWords =
  /^(key|code|state|session|sess|sid|auth|sig|signature|ticket|nonce|pin|pass|jwt|assertion|saml|hmac)$/
const weakCompound = /token|sessid|session_?id|samlresponse|apikey|authkey/

function isWeakName(name: string): boolean {
  const separated = name
    .slice(-120)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  if (/public[^a-z]?key$/.test(separated)) return false
  return weakCompound.test(separated) || separated.split(/[^a-z]+/).some((word) => weakWords.test(word))
}

const sessionTokenPart =
  /sess|(^|[^a-z])sid([^a-z]|$)|token|auth|sig([^a-z]|$)|signature|ticket|csrf|nonce|secret/i

/** Whether the value of this key describes a field, as in a schema or an error, instead of being its value. */
export const isDescriptiveKey = (key: string): boolean =>
  /^(type|format|title|label|description|messages?|errors?|placeholder|kind|rules?|code|status|in|ref|component|widget|autocomplete|help|hint|name|id|min\w*|max\w*|required)$/i.test(
    key,
  )

/** Whether a header has no credentials, so that its value is shown. */
export const isHarmlessHeader = (name: string): boolean => harmlessHeader.test(name)

/** Whether a header has only credentials. */
export const isCredentialHeader = (name: string): boolean =>
  /^(proxy-)?authorization$|^(set-)?cookie2?$/i.test(name)

const harmlessHeader =
  /^(accept(-.*)?|access-control-.*|age|allow|alt-svc|cache-control|connection|content-.*|cross-origin-.*|date|etag|expect|expires|host|if-.*|keep-alive|last-modified|link|location|nel|origin|permissions-policy|pragma|priority|range|referer|referrer-policy|report-to|retry-after|sec-(?!websocket-key).*|server|server-timing|service-worker.*|sourcemap|strict-transport-security|te|timing-allow-origin|trailer|transfer-encoding|upgrade.*|user-agent|vary|via|warning|x-content-type-options|x-frame-options|x-powered-by|x-request(ed|-id|id).*|x-correlation-id|x-trace-id|traceparent|tracestate|x-b3-.*|x-amzn-trace-id|cf-ray|x-robots-tag|x-ua-compatible|x-xss-protection)$/i
