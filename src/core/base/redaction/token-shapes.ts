// Secrets with a recognizable shape that the library does not detect. Each pattern starts with fixed characters followed by one run of
// characters, which keeps the search fast.

import type { Span } from './spans.ts'

/** Finds secrets by their shape; the detector of the library is passed in, because core imports no package. */
export type FindTokenShapes = (text: string) => readonly Span[]

export interface MoreTokenShapes {
  readonly find: FindTokenShapes
  /** What `find` finds stays the same until this changes. */
  ruleCount(): number
}

const TOKEN_SHAPES: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/(?<![\w-])eyJ[\w-]{8,8192}\.[\w-]{4,8192}(?:\.[\w-]{0,8192}){0,3}/g, 'JWT'],
  [/(?<=\b(?:bearer|negotiate|digest)\s{1,4})[\w+/.~=-]{8,8192}/gi, ''],
  [/(?<=\b(?:basic)\s{1,4})[A-Za-z0-9+/_-]{8,8192}={0,2}(?![\w-])/gi, 'basic'],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[^]){0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
    'private key',
  ],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g, 'AWS key'],
  [/\bAIza[\w-]{30,60}/g, 'Google key'],
  [/\bya29\.[\w-]{20,2000}/g, 'Google token'],
  [/\b1\/\/0[\w-]{25,200}/g, 'Google token'],
  [/\bGOCSPX-[\w-]{20,60}/g, 'Google secret'],
  [/(?:gh[pousr]_\w{20,300}|github_pat_\w{20,300})/g, 'GitHub token'],
  [/gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-[\w-]{18,300}/g, 'GitLab token'],
  [/xox[abeoprs]-[\w-]{10,300}|xapp-\d-[\w-]{10,300}/g, 'Slack token'],
  [/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,200}/g, 'Slack webhook'],
  [/(?:sk|rk|pk)_(?:live|test)_\w{10,300}|whsec_[\w+/=]{20,300}/g, 'Stripe key'],
  [/\bsk-[\w-]{20,300}/g, 'API key'],
  [/npm_\w{30,100}/g, 'npm token'],
  [/pypi-[\w-]{50,400}/g, 'PyPI token'],
  [/\bSG\.[\w-]{16,40}\.[\w-]{30,60}/g, 'SendGrid key'],
  [/\b(?:AC|SK)[0-9a-f]{32}\b/g, 'Twilio key'],
  [/\b(?:dop|doo|dor)_v1_[0-9a-f]{40,80}/g, 'DigitalOcean token'],
  [
    /\bhvs\.[\w-]{20,300}|\bhf_[A-Za-z]{30,60}|\bgsk_\w{30,80}|\bkey-[0-9a-f]{32}\b|\bsq0[a-z]{3}-[\w-]{20,60}|\bEAAA\w{40,200}|\bshp(?:at|ca|pa|ss)_[0-9a-f]{32}|\blin_api_\w{30,60}|\bdapi[0-9a-f]{32}\b|\bage-secret-key-1\w{50,70}|\brnd_\w{20,60}|\bfigd_[\w-]{30,60}|\bdckr_pat_[\w-]{20,60}|\bya_\w{30,60}|\bsntrys_[\w+/=]{40,400}|\bglsa_\w{30,80}|\bsbp_[0-9a-f]{30,60}|\bvercel_\w{20,60}/gi,
    'API key',
  ],
  [/(?<=[?&]sig=)[\w%+/=-]{20,200}/g, 'signature'],
  [/(?<=AccountKey=)[\w+/]{40,200}={0,2}/g, 'account key'],
  [/(?<=[?&]X-Amz-(?:Signature|Credential|Security-Token)=)[\w%+/=-]{16,4000}/g, 'signature'],
  // User name and password of a URL.
  [/(?<=\b[a-z][a-z\d+.-]{1,30}:\/\/)[^\s/?#@"'<>:]{0,400}:[^\s/?#"'<>]{1,400}(?=@)/gi, ''],
  [/(?<=\bhttps?:\/\/)[^\s/?#@"'<>:]{1,400}(?=@)/gi, ''],
]

// Tells quickly whether any of these shapes can occur.
const anyTokenShape =
  /eyJ|bearer|basic|negotiate|digest|-----|AKIA|ASIA|ABIA|ACCA|AIza|ya29|1\/\/0|GOCSPX|gh[pousr]_|github_pat|gl[a-z]{2,5}-|xox|xapp|hooks\.slack|_live_|_test_|whsec_|sk-|npm_|pypi-|SG\.|(?:AC|SK)[0-9a-f]{9}|do[por]_v1|hvs\.|hf_|gsk_|key-|sq0|EAAA|shp|lin_api|dapi|age-secret|rnd_|figd_|dckr_|ya_|sntrys|glsa|sbp_|vercel_|sig=|AccountKey|X-Amz-|:\/\/[^\s/]{0,800}@/i

/** The spans of all known shapes and of payment card numbers. */
export function findTokenShapes(text: string): Span[] {
  const spans = [...findCardNumbers(text), ...findKeyEnds(text)]
  if (!anyTokenShape.test(text)) return spans
  for (const [pattern, kind] of TOKEN_SHAPES)
    for (const { 0: match, index } of text.matchAll(pattern)) {
      if (/^\[?redacted/.test(match) || (kind === 'basic' && !/[\d=+/]|[a-z][A-Z]/.test(match))) continue
      const replacement = kind === '' || kind === 'basic' ? {} : { replacement: `[redacted ${kind}]` }
      spans.push({ start: index, end: index + match.length, ...replacement })
    }
  return spans
}

/** Matches where the shape of a token begins within a word, as after the length of a text in a binary format. */
export const innerTokenStart = new RegExp(`(?<=[\\w-])(?=${anyTokenShape.source})`, 'i')

// --- internal ---

// A private key without its first line: the characters before its last line.
function findKeyEnds(text: string): Span[] {
  if (!text.includes('-----END ')) return []
  return [...text.matchAll(/-----END [A-Z ]{0,30}PRIVATE KEY/g)].flatMap(({ index }) => {
    let start = index
    while (start > 0 && index - start < KEY_LIMIT_CHARS && keyCharacter.test(text[start - 1] ?? ''))
      start -= 1
    return index - start >= 40 ? [{ start, end: index, replacement: '[redacted private key]' }] : []
  })
}

const KEY_LIMIT_CHARS = 16_384
const keyCharacter = /[A-Za-z0-9+/=\\\r\n]/

// Without spaces or in the groups of a card; a part of an id, such as a UUID, does not match.
const cardDigits =
  /(?<![\w.-])(?:\d{15,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w.-])/g

function findCardNumbers(text: string): Span[] {
  return [...text.matchAll(cardDigits)].flatMap(({ 0: match, index }) =>
    isCardNumber(match.replace(/\D/g, '')) ? [{ start: index, end: index + match.length }] : [],
  )
}

// The prefixes and lengths of the issuers and the Luhn checksum, so that a timestamp or an id rarely matches. Cards of 13 digits are not issued
// any more; phone numbers and barcodes have as many.
function isCardNumber(number: string): boolean {
  if (!/^(?:4\d{15}(\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/.test(number))
    return false
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
