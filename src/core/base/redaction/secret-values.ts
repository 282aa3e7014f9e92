// Classifies values, whatever their names.

/** Whether a value under a weak name is a secret: one word of at least 16 characters with a random mix of letters and digits. */
export function looksLikeSecret(value: string, isSessionName: boolean): boolean {
  if (value.length < 16 || value.length > 8192 || !/^[A-Za-z0-9+/_.~%|:$-]+={0,3}$/.test(value)) return false
  if (/^[0-9a-f]+$/i.test(value)) return isSessionName && value.length >= 32
  if (uuid.test(value) || timestamp.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (/^(https?|wss?|file|data|blob|urn|sha\d+)[:-]/i.test(value)) return false
  // Build tools add a hash to file names.
  if (/\.(m?js|css|map|json|html?|png|jpe?g|svg|webp|ico|woff2?)$/i.test(value)) return false
  return isRandom(value)
}

/** Whether a known secret can be searched in any text: it is not short and not a common word or number. */
export function isDistinctive(value: string): boolean {
  if (value.length < 6 || value.includes('[redacted')) return false
  if (/^\d+$/.test(value)) return new Set(value).size >= 3 && !isDigitRun(value)
  if (/^(\d{1,3}\.){3}\d{1,3}(:\d+)?$|^(localhost|127\.[\d.]+|\[[\da-f:]+\]):\d+$/i.test(value)) return false
  if (/^https?:\/\/[^/?#@\s]+\/?$/i.test(value) || timestamp.test(value)) return false
  // One common word, a name or a short phrase occurs in many texts without being the secret.
  if (/^\p{L}+$/u.test(value)) return value.length >= 16 || hasIrregularCapitals(value)
  if (/^\p{L}+[ '.]\p{L}+[.!?]?$/u.test(value)) return value.length >= 20
  if (/^\p{L}+-\p{L}+$/u.test(value)) return value.length >= 12
  return /\s/.test(value) ? value.length >= 10 : true
}

/** Whether a value is random enough to be searched inside longer words too. */
export const isUnmistakable = (value: string): boolean =>
  value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && isRandom(value)

/** Whether a text in the place of a secret only describes it: a label, a validation message, a type. */
export function isProse(value: string): boolean {
  if (placeholder.test(value)) return true
  if (keyword.test(value) || typeOrVersion.test(value)) return true
  if (value.length <= 5 || !/\s/.test(value)) return false
  const words = value.toLowerCase().split(/[^\p{L}']+/u)
  return (
    words.some((word) => sentenceWords.has(word)) ||
    words.filter((word) => functionWords.has(word)).length > 1
  )
}

// --- internal ---

const uuid = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i
const timestamp = /^\d{4}-\d\d-\d\d([T_ ]\d\d[:-]?\d\d([:-]?\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/

const placeholder =
  /^(\$\{?[\w.]+\}?|\{\{?[\w.\s-]+\}?\}|<[\w .-]+>|%[\w]+%|[*•●xX.·-]{3,}|\[.*\]|\w+\.env[.[].*|.*\$\{(?:encodeURIComponent\()?process\.env[.[].*|:[\w]+|__\w+__)$/

const keyword =
  /^(string|number|boolean|object|array|integer|text|password|hidden|email|true|false|null|nil|none|undefined|void|any|unknown|never|required|optional|invalid|incorrect|missing|wrong|expired|weak|strong|medium|empty|blank|include|omit|same-origin|inherit|yes|no|on|off|ok|enabled|disabled|unset|not_set|\(none\)|redacted|masked|hidden|n\/a|varchar.*|char\(.*|bytes|String!?|Password!?|\w+!)$/i

const typeOrVersion =
  /^(string|number|boolean|null|undefined|any|unknown|object)\b\s*([|&;,[]|$)|^(workspace:|npm:)?[\^~<>=v*]{0,3}\d+\.\d+\.\d+[\w.+-]{0,20}$/i

// Words of a sentence about a field: one of the first set, or two of the second, which occur in any sentence.
const sentenceWords = new Set(
  "is are must should can't cannot could required invalid match matches characters character enter expected received forgot don't didn't does do not your incorrect optional least".split(
    ' ',
  ),
)
const functionWords = new Set(
  'was be been the a an at to you please or and too has have with for of in on from this that field'.split(
    ' ',
  ),
)

// Identifiers made of words and numbers rarely change between letters, capitals and digits; random strings do at every other character.
const isRandom = (value: string): boolean => changesOften(value) || randomnessOf(value) > RANDOMNESS_THRESHOLD

function changesOften(value: string): boolean {
  const words = value.split(/[^A-Za-z0-9]+/).filter(Boolean)
  let mixedLength = 0
  for (const word of words) {
    const pieces = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
    const hasConsonantRun = /[bcdfghjklmnpqrstvwxz]{5,}/i.test(word)
    if (word.length >= 6 && /[A-Za-z]/.test(word) && (word.length / pieces.length < 3 || hasConsonantRun))
      mixedLength += word.length
  }
  return mixedLength >= 10 && mixedLength * 2 >= value.length
}

// The most common pairs of letters: six of seven pairs in English words and identifiers, but only one of four in random letters.
const commonPairs = new Set(
  'ab ac ad ag ai al am an ap ar as at au av ba be bi bl bo bu ca ce ch ci ck cl co cr ct cu da de di do ds ea ec ed ee ef eg el em en ep er es et ev ex fa fe ff fi fl fo ge gi gr ha he hi ho ia ib ic id ie if ig il im in io ip ir is it iv iz ke ki la ld le li ll lo ls lu ly ma me mi mo mp na nc nd ne ng ni no ns nt oc od ol om on oo op or os ot ou ov ow pa pe pi pl po pp pr pt qu ra rc rd re ri rm rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta te th ti to tr ts tt tu ty ub ue ui ul un up ur us ut va ve vi wa we'.split(
    ' ',
  ),
)
const RANDOMNESS_THRESHOLD = 3

/** The log-likelihood ratio of a random value against a written one, from its pairs of characters. The weights are rounded logarithms of
 * the frequencies of each kind of pair. */
function randomnessOf(value: string): number {
  let sum = 0
  for (const word of value.split(/[^A-Za-z0-9]+/))
    for (let at = 1; at < word.length; at += 1) {
      const pair = word.slice(at - 1, at + 1)
      if (/^\d\d$/.test(pair)) sum -= 0.3
      else if (/\d/.test(pair)) sum += 1.1
      else if (/^[a-z][A-Z]$/.test(pair)) sum += 0.6
      else sum += commonPairs.has(pair.toLowerCase()) ? -0.7 : 1.3
    }
  return sum
}

// 123456, 987654, 112233
const isDigitRun = (digits: string): boolean => {
  const steps = [...digits].slice(1).map((digit, index) => Number(digit) - Number(digits[index]))
  return steps.every((step) => step >= 0 && step <= 1) || steps.every((step) => step <= 0 && step >= -1)
}

const hasIrregularCapitals = (value: string): boolean =>
  value.length >= 8 && (value.match(/(?<=[a-z])[A-Z]/g)?.length ?? 0) >= 3
