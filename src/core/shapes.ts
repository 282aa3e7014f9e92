// Secrets that are known by their shape, wherever they stand.

/** Each with what stands for it; what is kept says of what kind it was. */
export const shapes: readonly (readonly [pattern: RegExp, stand: string])[] = [
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[redacted JWT]'],
  [/\b(bearer|basic|digest|negotiate|token)(\s+)(?=[\w+/.~=-]*[\d=+/._-])[\w+/.~=-]{8,}/gi, '$1$2[redacted]'],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g, '[redacted private key]'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '[redacted AWS key]'],
  [/\bAIza[\w-]{30,}/g, '[redacted Google key]'],
  [/\bya29\.[\w-]{20,}/g, '[redacted Google token]'],
  [/\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})/g, '[redacted GitHub token]'],
  [/\bglpat-[\w-]{20,}/g, '[redacted GitLab token]'],
  [/\bxox[abeoprs]-[\w-]{10,}/g, '[redacted Slack token]'],
  [/\b(?:sk|rk|pk)_(?:live|test)_\w{10,}/g, '[redacted Stripe key]'],
  [/\bsk-[\w-]{20,}/g, '[redacted API key]'],
  [/\bnpm_\w{30,}/g, '[redacted npm token]'],
  // A password in the address of a database or a page.
  [/\b([a-z][a-z\d+.-]*:\/\/[^\s:/?#@"'<>]*):([^\s/?#@"'<>]+)@/gi, '$1:[redacted]@'],
]

// In one piece or in the groups of a card; a part of an id, such as a UUID, is neither.
const digits = /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w.-])/g

/** Replaces what passes for the number of a payment card. */
export const cardNumbers = (text: string, stand: string): string =>
  text.replace(digits, (found) => (isCard(found.replace(/\D/g, '')) ? stand : found))

// The issuers' first digits and Luhn's check, so that a timestamp or an id is rarely taken for one.
function isCard(number: string): boolean {
  if (!/^(?:4|5[1-5]|2[2-7]|3[47]|6(?:011|5))/.test(number) || number.length < 13 || number.length > 19)
    return false
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
