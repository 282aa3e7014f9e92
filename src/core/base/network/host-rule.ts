// A host rule: a host, `*.host` or an address, with or without `:port`.

import { err, ok, type Result } from '../result.ts'

export interface HostRule {
  readonly host: string
  /** Whether the rule matches the subdomains of `host`. */
  readonly isWildcard: boolean
  readonly port?: number
}

/** Why a text is not a rule; both fields are phrases for an INVALID_PARAMETERS failure. */
interface HostRuleError {
  readonly expected: string
  readonly received: string
}

/** The host of a URL as rules see it: lower case, punycode, no brackets, no last dot. */
export const canonicalizeHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

export function parseHostRule(text: string): Result<HostRule, HostRuleError> {
  const rule = text.trim()
  const isWildcard = rule.startsWith('*.')
  const hostText = isWildcard ? rule.slice(2) : rule
  const authority =
    hostText.includes(':') && !hostText.includes('[') && hostText.split(':').length > 2
      ? `[${hostText}]`
      : hostText
  const url =
    /^[^/\s?#@*]+$/.test(authority) && URL.canParse(`http://${authority}/`)
      ? new URL(`http://${authority}/`)
      : undefined
  if (!url)
    return err({
      expected: 'a host, *.host or an address, with or without :port',
      received: JSON.stringify(text),
    })
  const port = /:(\d+)$/.exec(authority.replace(/^\[.*\]/, ''))?.[1]
  const host = canonicalizeHost(url.hostname)
  return ok({ host, isWildcard, ...(port !== undefined && { port: Number(port) }) })
}

/** The rules of a text, separated by commas or spaces; the error is that of the first text that is not a rule. */
export function parseHostRules(text: string): Result<readonly HostRule[], HostRuleError> {
  const rules = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseHostRule)
  const failure = rules.find((rule) => !rule.ok)
  return failure && !failure.ok ? failure : ok(rules.flatMap((rule) => (rule.ok ? [rule.value] : [])))
}

// The ports that a host rule without a port allows.
// Databases, caches and control ports above 1024, to which a page could send requests.
const SERVICE_PORTS = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 4222, 4369, 5432, 5433, 5672, 5984, 6379, 6380, 6443,
  7000, 7001, 7199, 7474, 7687, 8086, 9000, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 25672, 26257,
  27017, 27018, 28015, 50000, 61616,
])

export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !SERVICE_PORTS.has(port))
