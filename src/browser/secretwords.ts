// Which fields take secrets, by what they are called. As the texts of patterns, because they travel into the page.

export const secretWords = {
  autocomplete: '^(cc-|one-time-code|current-password|new-password)',
  name: 'passw|pwd|secret|token|cvc|cvv|otp|one-?time|card-?num|ssn|(^|[^a-z])pin([^a-z]|$)',
} as const

export type SecretWords = typeof secretWords
