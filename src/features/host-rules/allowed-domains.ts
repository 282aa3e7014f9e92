// The `allowedDomains` of create_session.

import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { type HostRule, parseHostRule } from '../../core/base/network/host-rule.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import { described, textList } from '../../core/tool/fields.ts'

export const allowedDomainsFields = defineSessionFields({
  before: 'ignoreHTTPSErrors',
  entries: { allowedDomains: v.optional(described(textList(1000, 300), 'Only a.com, *.b.com')) },
  unrepeated: ['allowedDomains'],
  read: ({ allowedDomains }) =>
    allowedDomains === undefined
      ? ok({})
      : map(parseAllowedDomains(allowedDomains), (allowedHosts) => ({ request: { allowedHosts } })),
})

// --- internal ---

function parseAllowedDomains(texts: readonly string[]): Outcome<readonly HostRule[]> {
  const rules: HostRule[] = []
  for (const [index, text] of texts.entries()) {
    const rule = parseHostRule(text)
    if (!rule.ok)
      return err(invalidParameter(`allowedDomains[${index}]`, rule.error.expected, rule.error.received))
    rules.push(rule.value)
  }
  return ok(rules)
}
